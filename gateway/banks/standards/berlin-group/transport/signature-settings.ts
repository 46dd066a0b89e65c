/** Settings of message signatures: the standard's, or those under `signature` in a bank's dialect. */
import { type Static, Type } from 'typebox'

/** Each deviation was found at a bank, or in public code that banks run. */
export const SignatureSettings = Type.Object(
  {
    /** Headers that are signed if present, in this order. */
    headers: Type.Array(
      Type.Enum(['date', 'digest', 'x-request-id', 'psu-id', 'psu-corporate-id', 'tpp-redirect-uri']),
      {
        minItems: 2,
        uniqueItems: true,
      },
    ),
    /** Whether they are signed in the listed or in alphabetical order. */
    order: Type.Enum(['listed', 'sorted']),
    algorithm: Type.Enum(['rsa-sha256', 'rsa-sha512']),
    digest: Type.Enum(['SHA-256', 'SHA-512']),
    /** Spaces of the issuer's name in `keyId`: as `%20`, like in the standard's sample, or unchanged. */
    keyIdSpaces: Type.Enum(['escaped', 'plain']),
    /** Format of `TPP-Signature-Certificate`: base64 of the DER, or the PEM text on one line. */
    certificate: Type.Enum(['der', 'pem']),
  },
  { additionalProperties: false },
)
export type SignatureSettings = Static<typeof SignatureSettings>

/** As NextGenPSD2 1.3 has it (implementation guidelines, chapter 12). */
export const STANDARD_SIGNATURE: SignatureSettings = {
  headers: ['digest', 'x-request-id', 'psu-id', 'psu-corporate-id', 'tpp-redirect-uri'],
  order: 'listed',
  algorithm: 'rsa-sha256',
  digest: 'SHA-256',
  keyIdSpaces: 'escaped',
  certificate: 'der',
}
