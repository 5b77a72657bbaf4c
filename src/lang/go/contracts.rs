//! Interfaces of Go's standard library, which a type has by having their methods: nothing in the code of
//! such a type says who calls them.

use crate::lang::liveness::Contract;

/// An interface and its methods.
const fn of(name: &'static str, methods: &'static [&'static str]) -> Contract {
    Contract { name, methods }
}

/// Those that the standard library itself calls: <https://pkg.go.dev/std>.
pub(super) const CONTRACTS: &[Contract] = &[
    of("sort.Interface", &["Len", "Less", "Swap"]),
    of("heap.Interface", words!("Len Less Swap Push Pop")),
    of("error", &["Error"]),
    of("errors.Is", &["Is"]),
    of("errors.As", &["As"]),
    of("errors.Unwrap", &["Unwrap"]),
    of("fmt.Stringer", &["String"]),
    of("fmt.GoStringer", &["GoString"]),
    of("fmt.Formatter", &["Format"]),
    of("fmt.Scanner", &["Scan"]),
    of("io.Reader", &["Read"]),
    of("io.Writer", &["Write"]),
    of("io.Closer", &["Close"]),
    of("io.Seeker", &["Seek"]),
    of("io.ReaderAt", &["ReadAt"]),
    of("io.WriterAt", &["WriteAt"]),
    of("io.ReaderFrom", &["ReadFrom"]),
    of("io.WriterTo", &["WriteTo"]),
    of("io.ByteReader", &["ReadByte"]),
    of("io.ByteWriter", &["WriteByte"]),
    of("io.RuneReader", &["ReadRune"]),
    of("io.StringWriter", &["WriteString"]),
    of("fs.FS", &["Open"]),
    of("fs.File", &["Stat", "Read", "Close"]),
    of("fs.FileInfo", words!("Name Size Mode ModTime IsDir Sys")),
    of("fs.DirEntry", &["Name", "IsDir", "Type", "Info"]),
    of("http.Handler", &["ServeHTTP"]),
    of("http.ResponseWriter", &["Header", "Write", "WriteHeader"]),
    of("http.RoundTripper", &["RoundTrip"]),
    of("http.Flusher", &["Flush"]),
    of("http.Hijacker", &["Hijack"]),
    of("http.Pusher", &["Push"]),
    of("http.CookieJar", &["SetCookies", "Cookies"]),
    of("net.Error", &["Error", "Timeout", "Temporary"]),
    of("net.Addr", &["Network", "String"]),
    of("net.Listener", &["Accept", "Close", "Addr"]),
    of(
        "net.Conn",
        words!(
            "Read Write Close LocalAddr RemoteAddr SetDeadline SetReadDeadline SetWriteDeadline"
        ),
    ),
    of("context.Context", &["Deadline", "Done", "Err", "Value"]),
    of("encoding.TextMarshaler", &["MarshalText"]),
    of("encoding.TextUnmarshaler", &["UnmarshalText"]),
    of("encoding.BinaryMarshaler", &["MarshalBinary"]),
    of("encoding.BinaryUnmarshaler", &["UnmarshalBinary"]),
    of("json.Marshaler", &["MarshalJSON"]),
    of("json.Unmarshaler", &["UnmarshalJSON"]),
    of("xml.Marshaler", &["MarshalXML"]),
    of("xml.Unmarshaler", &["UnmarshalXML"]),
    of("gob.GobEncoder", &["GobEncode"]),
    of("gob.GobDecoder", &["GobDecode"]),
    of("sql.Scanner", &["Scan"]),
    of("driver.Valuer", &["Value"]),
    of("flag.Value", &["String", "Set"]),
    of("hash.Hash", words!("Write Sum Reset Size BlockSize")),
    of("image.Image", &["ColorModel", "Bounds", "At"]),
    of("rand.Source", &["Int63", "Seed"]),
    of(
        "slog.Handler",
        &["Enabled", "Handle", "WithAttrs", "WithGroup"],
    ),
    of("slog.LogValuer", &["LogValue"]),
    of("sync.Locker", &["Lock", "Unlock"]),
];
