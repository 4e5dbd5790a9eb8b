import os
from pathlib import Path

import pytest

from carddb.core.errors import InputError, OutputError
from carddb.core.files import read_file, write_file


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


def test_a_file_of_a_folder_is_read_where_it_lies_there(tmp_path: Path) -> None:
    """No part of the way from the folder is a link; the folder itself may be one, and a file without a folder."""
    folder, linked, outside = tmp_path / "game", tmp_path / "linked", tmp_path / "outside"
    (folder / "in").mkdir(parents=True)
    (folder / "in" / "a.txt").write_bytes(b"inside")
    outside.mkdir()
    (outside / "a.txt").write_bytes(b"outside")
    linked.symlink_to(folder)
    (folder / "b.txt").symlink_to(outside / "a.txt")
    (folder / "c.txt").symlink_to(folder / "in" / "a.txt")
    (folder / "out").symlink_to(outside)
    for place in (folder, linked):
        assert read_file(place / "in" / "a.txt", folder=place) == b"inside"
        for name in ("b.txt", "c.txt", "out/a.txt", "../outside/a.txt", "in/../../outside/a.txt"):
            with pytest.raises(InputError, match="leads out of"):
                read_file(place / name, folder=place)
    with pytest.raises(InputError, match="leads out of"):
        read_file(outside / "a.txt", folder=folder)
    assert read_file(folder / "b.txt") == b"outside"


def test_only_a_file_is_read_and_no_more_than_its_bound(tmp_path: Path) -> None:
    """A folder, a pipe without a writer and a device are refused at once; of a giant one byte more than the bound."""
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "giant").open("wb") as file:
        file.truncate(1 << 40)
    assert read_file(tmp_path / "giant", 1000) == bytes(1001)
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(InputError, match=r"is a folder|is not a regular file"):
            read_file(path, 1000, None if path.name == "zero" else tmp_path)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none", 1000, tmp_path)
