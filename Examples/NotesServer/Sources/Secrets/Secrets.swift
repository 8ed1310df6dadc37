import CSodium

/// Secrets and hashes from libsodium.
public enum Secrets {
    /// Whether the library has been initialized, which happens once.
    private static let isReady = sodium_init() >= 0

    /// Returns 32 random bytes as text, in URL-safe base64.
    public static func token() -> String {
        precondition(isReady, "libsodium found no source of random bytes")
        var bytes = [UInt8](repeating: 0, count: 32)
        randombytes_buf(&bytes, bytes.count)
        return base64(bytes, variant: sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    }

    /// Returns the hash of a token, from which the token can't be recovered.
    ///
    /// A token is random and long, so unlike a password's hash, its hash needs no salt and needn't be slow.
    public static func hash(_ token: String) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: 32)
        let bytes = Array(token.utf8)
        crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        return hash
    }

    /// Returns the SHA-256 of a text in base64, in the form in which a `Content-Security-Policy` identifies a script.
    public static func sha256(_ text: some StringProtocol) -> String {
        var hash = [UInt8](repeating: 0, count: 32)
        let bytes = Array(text.utf8)
        crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return base64(hash, variant: sodium_base64_VARIANT_ORIGINAL)
    }

    private static func base64(_ bytes: [UInt8], variant: Int32) -> String {
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
        sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
        return String(decoding: text.dropLast().map(UInt8.init), as: UTF8.self)
    }
}
