import os
from pathlib import Path

import pytest

from carddb.core.errors import OutputError
from carddb.core.files import write_file


def test_a_file_is_written_whole_and_alone(tmp_path: Path) -> None:
    """The bytes are there, in a folder made for them, and nothing lies beside them."""
    path = tmp_path / "new" / "sheets.pdf"
    write_file(path, b"one")
    write_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    """A folder in the place of the file is refused with a remedy."""
    with pytest.raises(OutputError, match="folder") as caught:
        write_file(tmp_path, b"x")
    assert caught.value.remedy


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path: Path) -> None:
    """Where the folder should be there is a file: the answer is a sentence."""
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError, match="cannot be written"):
        write_file(tmp_path / "file" / "sheets.pdf", b"x")


def test_a_name_too_long_is_told(tmp_path: Path) -> None:
    """A name that no file system takes is answered with a sentence, and so is one that is no name."""
    for name in ("x" * 300, "a\0b"):
        with pytest.raises(OutputError, match="cannot be written"):
            write_file(tmp_path / name, b"x")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk is full the old bytes stay, and nothing half-written is left."""
    path = tmp_path / "sheets.pdf"
    path.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed_and_rights_are_kept(tmp_path: Path) -> None:
    """Writing through a link changes the file behind it, which keeps its rights."""
    real, link = tmp_path / "real.pdf", tmp_path / "link.pdf"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_file(link, b"new")
    assert link.is_symlink() and real.read_bytes() == b"new"
    assert real.stat().st_mode & 0o777 == 0o640
