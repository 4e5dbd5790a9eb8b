"""A folder that stands on the web while it is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import carddb
from carddb.app.workspace.published_folder import MANIFEST, write_folder
from carddb.core.errors import OutputError
from carddb.door import Project

OLD = {"index.html": b"a b", "a.html": b"", "b.html": b"a", "gone/b.txt": b"", "style.css": b""}
NEW = {"index.html": b"a c", "a.html": b"c", "c.html": b"a", "style.css": b""}


class Stopped(Exception):
    """The program ends here."""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return carddb.open(tmp_path)


@pytest.fixture
def folder(tmp_path: Path, project: Project) -> Path:
    """A folder with a first publication, and with what its owner put there."""
    folder = tmp_path / "site"
    write_folder(project, folder, OLD, ["index.html"])
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("x")
    (folder / "CNAME").write_text("example.org")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def stopped_after(count: int, project: Project, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Publishes the new files and is stopped after `count` of them."""
    written = 0
    write = Project.write

    def counted(self: Project, path: Path, data: bytes, *, durable: bool = True) -> None:
        nonlocal written
        if written == count:
            raise Stopped
        written += 1
        write(self, path, data)

    with monkeypatch.context() as patch:
        patch.setattr(Project, "write", counted)
        try:
            write_folder(project, folder, NEW, ["index.html"])
        except Stopped:
            yield


def test_what_is_no_longer_published_is_removed(project: Project, folder: Path) -> None:
    """Files of the last publication go, with their empty folders; those of others stay."""
    inode = folder.stat().st_ino
    write_folder(project, folder, NEW, ["index.html"])
    own = {name: data for name, data in contents(folder).items() if name not in (".git/HEAD", "CNAME", MANIFEST)}
    assert own == NEW and not (folder / "gone").exists() and folder.stat().st_ino == inode
    assert (folder / "CNAME").read_text() == "example.org" and (folder / ".git" / "HEAD").exists()
    assert json.loads(contents(folder)[MANIFEST])["files"] == sorted(NEW)


def test_no_page_points_to_what_is_not_there(project: Project, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the program is stopped, every page that a reader can come to has what it names."""
    for count in range(6):
        for _ in stopped_after(count, project, folder, monkeypatch):
            there, reached = contents(folder), ["index"]
            for name in reached:
                reached += [other for other in there[f"{name}.html"].decode().split() if other not in reached]
        write_folder(project, folder, OLD, ["index.html"])
        assert OLD.items() <= contents(folder).items() and "c.html" not in contents(folder)


def test_what_is_the_same_is_not_written(project: Project, folder: Path) -> None:
    """A file whose bytes are the same keeps its time."""
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    write_folder(project, folder, OLD, ["index.html"])
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}.items() <= before.items()


@pytest.mark.parametrize("names", [["../outside"], ["/etc/hosts"], ["a/../../outside"], ["link/x"], ["..\\outside"]])
def test_a_forged_manifest_removes_nothing_elsewhere(
    project: Project, folder: Path, tmp_path: Path, names: list[str]
) -> None:
    """Names that lead out of the folder are passed over."""
    (tmp_path / "outside").write_text("x")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x").write_text("x")
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    (folder / MANIFEST).write_text(json.dumps({"schema": "carddb.publication/1", "files": names}))
    write_folder(project, folder, NEW, ["index.html"])
    assert (tmp_path / "outside").exists() and (tmp_path / "elsewhere" / "x").exists()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "carddb.publication/1", "files": [1]}', "\xff"])
def test_a_faulty_manifest_is_told(project: Project, folder: Path, text: str) -> None:
    """A manifest that is none is not written over."""
    (folder / MANIFEST).write_text(text)
    with pytest.raises(OutputError, match="does not list published files"):
        write_folder(project, folder, NEW, ["index.html"])
    assert (folder / MANIFEST).read_text() == text
