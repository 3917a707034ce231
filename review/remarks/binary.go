package remarks

import (
	"encoding/binary"
	"fmt"
)

// Binary names the kind of binary content by its first bytes, with the size of an
// image where that stands at the front; "" when it is not known.
func Binary(b []byte) string {
	at := func(from int, magic string) bool {
		return len(b) >= from+len(magic) && string(b[from:from+len(magic)]) == magic
	}
	switch {
	case at(0, "\x89PNG\r\n\x1a\n"):
		return "PNG image" + pixels(b, 16, 20, 4, binary.BigEndian)
	case at(0, "GIF87a"), at(0, "GIF89a"):
		return "GIF image" + pixels(b, 6, 8, 2, binary.LittleEndian)
	case at(0, "\xff\xd8\xff"):
		return "JPEG image"
	case at(0, "RIFF") && at(8, "WEBP"):
		return "WebP image"
	case at(0, "RIFF") && at(8, "WAVE"):
		return "WAV sound"
	case at(0, "\x00\x00\x01\x00"):
		return "icon"
	case at(0, "BM") && at(6, "\x00\x00\x00\x00"):
		return "BMP image" + pixels(b, 18, 22, 4, binary.LittleEndian)
	case at(0, "II*\x00"), at(0, "MM\x00*"):
		return "TIFF image"
	case at(4, "ftypavif"):
		return "AVIF image"
	case at(4, "ftyp"):
		return "MP4 video"
	}
	for _, k := range []struct{ magic, name string }{
		{"%PDF-", "PDF document"}, {"PK\x03\x04", "zip archive"}, {"PK\x05\x06", "empty zip archive"}, {"\x1f\x8b", "gzip data"}, {"BZh", "bzip2 data"},
		{"\xfd7zXZ\x00", "xz data"}, {"\x28\xb5\x2f\xfd", "zstd data"}, {"7z\xbc\xaf\x27\x1c", "7z archive"}, {"Rar!\x1a\x07", "RAR archive"},
		{"\x7fELF", "ELF program"}, {"MZ", "Windows program"}, {"\xcf\xfa\xed\xfe", "Mach-O program"}, {"\xca\xfe\xba\xbe", "Java class or Mach-O program"},
		{"\x00asm", "WebAssembly module"}, {"!<arch>\n", "static library"}, {"SQLite format 3\x00", "SQLite database"},
		{"OggS", "Ogg sound"}, {"fLaC", "FLAC sound"}, {"ID3", "MP3 sound"}, {"wOFF", "WOFF font"}, {"wOF2", "WOFF2 font"},
		{"\x00\x01\x00\x00\x00", "TrueType font"}, {"OTTO", "OpenType font"}, {"\x93NUMPY", "NumPy array"}, {"version https://git-lfs.github.com/spec/", "Git LFS pointer"},
		{"\xff\xfe\x00\x00", "UTF-32 text"}, {"\xff\xfe", "UTF-16 text, little-endian"}, {"\xfe\xff", "UTF-16 text, big-endian"},
	} {
		if at(0, k.magic) {
			return k.name
		}
	}
	if len(b) > 262 && string(b[257:262]) == "ustar" {
		return "tar archive"
	}
	return ""
}

// pixels reads width and height, n bytes each.
func pixels(b []byte, width, height, n int, order binary.ByteOrder) string {
	if len(b) < height+n {
		return ""
	}
	read := func(at int) uint32 {
		if n == 2 {
			return uint32(order.Uint16(b[at:]))
		}
		return order.Uint32(b[at:])
	}
	return fmt.Sprintf(" %d×%d", read(width), read(height))
}
