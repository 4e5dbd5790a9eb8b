"""Heads of pictures: sizes and turns without decoding, and nothing but one answer to foreign bytes."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms

from carddb.core.errors import DataFault
from carddb.read.pictures import Head, read_head
from tests.rows import every

KINDS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
ORIENTATION = 0x0112


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def turned(orientation: int) -> Image.Exif:
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    return exif


def samples() -> list[bytes]:
    """A small file of every kind, with notes and profiles in it."""
    image = Image.radial_gradient("L").resize((24, 16)).convert("RGB")
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    rich = {"JPEG", "PNG", "WEBP"}
    return [
        *(
            saved(image, kind, **({"exif": turned(6), "icc_profile": profile} if kind in rich else {}))
            for kind in KINDS
        ),
        saved(image, "JPEG", progressive=True),
        saved(image, "WEBP", lossless=True),
        saved(image.convert("RGBA"), "WEBP"),
        saved(image.quantize(7), "PNG"),
    ]


SAMPLES = samples()


@given(st.sampled_from(KINDS), st.integers(1, 70), st.integers(1, 70), st.sampled_from(("1", "L", "P", "RGB", "RGBA")))
def test_sizes_are_those_that_pillow_reads(kind: str, width: int, height: int, mode: str) -> None:
    """Kind and size of a written picture are the same here and in Pillow, whatever its pixels."""
    image = Image.new(mode if kind != "JPEG" or mode in ("L", "RGB") else "RGB", (width, height))
    data = saved(image, kind)
    head = read_head(data)
    assert (head.kind, head.width, head.height) == (kind, width, height)
    with Image.open(BytesIO(data)) as other:
        assert (other.format, other.size) == (kind, head.upright)


@every("orientation", range(1, 9))
@every("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_the_turn_a_camera_noted_is_read(kind: str, orientation: int) -> None:
    """All eight orientations are read from every format that can hold them; four of them swap the sides."""
    head = read_head(saved(Image.new("RGB", (30, 20)), kind, exif=turned(orientation)))
    assert head.orientation == orientation
    assert head.upright == ((30, 20) if orientation < 5 else (20, 30))
    assert orientation == 1 or head.coded is None


@every(
    "mode, kind, options, channels",
    [
        ("L", "JPEG", {}, 1),
        ("RGB", "JPEG", {}, 3),
        ("RGB", "JPEG", {"progressive": True, "restart_marker_rows": 1}, 3),
        ("CMYK", "JPEG", {}, 0),
        ("RGB", "JPEG", {"keep_rgb": True}, 0),
        ("1", "PNG", {}, 1),
        ("L", "PNG", {}, 1),
        ("P", "PNG", {}, 1),
        ("RGB", "PNG", {}, 3),
        ("LA", "PNG", {}, 0),
        ("RGBA", "PNG", {}, 0),
        ("I;16", "PNG", {}, 0),
        ("RGB", "PNG", {"transparency": (0, 0, 0)}, 0),
        ("RGB", "WEBP", {}, 0),
        ("RGB", "BMP", {}, 0),
    ],
)
def test_what_a_pdf_takes_as_it_is(mode: str, kind: str, options: dict[str, object], channels: int) -> None:
    """Grey and RGB JPEGs, and PNGs without transparency, may go into a PDF untouched; nothing else may."""
    coded = read_head(saved(Image.new(mode, (9, 7)), kind, **options)).coded
    assert (coded.channels if coded else 0) == channels


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_only_srgb_goes_untouched(kind: str) -> None:
    """A picture with the sRGB profile may go untouched; one with another profile is to be converted."""
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("XYZ")).tobytes()
    image = Image.new("RGB", (9, 7))
    assert read_head(saved(image, kind, icc_profile=srgb)).coded
    assert not read_head(saved(image, kind, icc_profile=lab)).coded
    assert not read_head(saved(image, kind, icc_profile=b"nonsense")).coded


def test_notes_of_a_camera_are_left_out() -> None:
    """The spans of a JPEG hold its pixels, not its EXIF block, its remarks, or what follows its end."""
    exif = turned(1)
    exif[0x010F] = "Camera of Hannibal"
    plain = saved(Image.radial_gradient("L"), "JPEG")
    data = saved(Image.radial_gradient("L"), "JPEG", exif=exif, comment=b"crossing the Alps") + b"trailer"
    coded = read_head(data).coded
    assert coded
    kept = b"".join(data[start:end] for start, end in coded.spans)
    assert kept == plain


def test_arithmetic_and_lossless_frames_are_decoded() -> None:
    """A frame that DCTDecode need not know is not passed on."""
    data = saved(Image.new("L", (8, 8)), "JPEG")
    for frame in (0xC1, 0xC3, 0xC9):
        assert not read_head(data.replace(b"\xff\xc0", bytes((0xFF, frame)))).coded


@given(st.binary(max_size=300))
def test_noise_is_no_picture(noise: bytes) -> None:
    """Arbitrary bytes, also behind every signature, are read or answered by DataFault."""
    starts = (b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\x20\0\0\0WEBP", b"GIF89a", b"BM", b"II*\0", b"MM\0*")
    for start in starts:
        answered(start + noise)


@given(st.sampled_from(SAMPLES), st.data())
def test_damaged_pictures_are_answered(sample: bytes, data: st.DataObject) -> None:
    """A picture cut anywhere and changed anywhere is read or answered by DataFault."""
    at = data.draw(st.integers(0, len(sample) - 1))
    patch = data.draw(st.binary(max_size=8))
    answered(sample[:at])
    answered(sample[:at] + patch + sample[at + len(patch) :])


def answered(data: bytes) -> Head | None:
    try:
        return read_head(data)
    except DataFault as fault:
        assert str(fault)
        return None


@pytest.mark.parametrize("sample", SAMPLES[:2], ids=("JPEG", "PNG"))
def test_a_picture_cut_short_is_no_picture(sample: bytes) -> None:
    """A JPEG or PNG that misses but its last byte is told to be incomplete."""
    with pytest.raises(DataFault, match="incomplete"):
        read_head(sample[:-1])


def test_a_damaged_png_is_told() -> None:
    """One flipped bit in the pixels of a PNG is known by its checksum."""
    data = bytearray(saved(Image.radial_gradient("L"), "PNG"))
    data[len(data) // 2] ^= 1
    with pytest.raises(DataFault, match="damaged"):
        read_head(bytes(data))


def test_scans_and_canvases_are_bounded_before_they_are_decoded() -> None:
    """A JPEG of a thousand scans, and a WebP whose canvas is larger than any picture, are refused by their heads."""
    data = saved(Image.effect_noise((8, 8), 9), "JPEG", progressive=True)
    scan = data[data.index(b"\xff\xda") : -2]
    assert read_head(data[:-2] + scan * 3 + b"\xff\xd9").kind == "JPEG"
    with pytest.raises(DataFault, match="scans"):
        read_head(data[:-2] + scan * 1000 + b"\xff\xd9")
    side = (16_383).to_bytes(3, "little")
    for chunk in (b"VP8X\x0a\0\0\0\0\0\0\0" + side + side, b"VP8L\x05\0\0\0\x2f\xfe\xff\xff\x0f" + bytes(9)):
        with pytest.raises(DataFault, match="more than the 64 million"):
            read_head(b"RIFF\x30\0\0\0WEBP" + chunk + bytes(40))


def test_hostile_files_cost_no_more_than_their_size() -> None:
    """Millions of empty chunks, segments and fill bytes, and a profile that unpacks without end, are answered."""

    def chunk(kind: bytes, body: bytes = b"") -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 9, 9, 8, 2, 0, 0, 0))
    bomb = chunk(b"iCCP", b"p\0\0" + zlib.compress(bytes(50_000_000)))
    assert answered(head + chunk(b"tEXt") * 200_000) is None
    assert answered(head + bomb + chunk(b"IDAT", b"x") + chunk(b"IEND"))
    assert answered(b"\xff\xd8" + b"\xff" * 2_000_000) is None
    assert answered(b"\xff\xd8" + b"\xff\xe0\0\x02" * 500_000) is None
    assert answered(b"RIFF\xff\xff\x0f\0WEBP" + bytes(1_048_567)) is None
