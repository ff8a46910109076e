"""A token is kept where only its owner reads it."""

from pathlib import Path

import pytest

from mitsuboshi_play.tokens import BadTokenFile, default_file, read_token, write_token


def test_a_token_comes_back_and_others_cannot_read_it(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "room.token"
    write_token(file, "secret-token")
    assert read_token(file) == "secret-token"
    assert file.stat().st_mode & 0o077 == 0


def test_no_file_is_no_token(tmp_path: Path) -> None:
    assert read_token(tmp_path / "none") is None


@pytest.mark.parametrize("content", [b"", b"\n", b"two words", b"\xff\xfe", b"a\x1bb", b"x" * 5000])
def test_a_file_that_holds_anything_else_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "bad"
    file.write_bytes(content)
    with pytest.raises(BadTokenFile):
        read_token(file)


def test_a_folder_is_no_token_file(tmp_path: Path) -> None:
    with pytest.raises(BadTokenFile):
        read_token(tmp_path)
    with pytest.raises(BadTokenFile):
        write_token(tmp_path, "t")


def test_a_rooms_file_stays_in_the_state_folder(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path)}
    assert default_file(environ, "../../etc/passwd").parent == tmp_path / "mitsuboshi"
    assert default_file({}, "abc").parts[-3:] == ("state", "mitsuboshi", "abc.token")
