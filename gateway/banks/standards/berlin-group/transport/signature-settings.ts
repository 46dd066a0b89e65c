/** How a bank wants messages signed: the standard's way, or what it says under `signature` in its dialect. */
import { type Static, Type } from 'typebox'

/** The terms; each deviation was met at a bank, or in public code that banks run. */
export const SignatureTerms = Type.Object(
  {
    /** Headers that are signed when they are sent, in this order. */
    headers: Type.Array(
      Type.Enum(['date', 'digest', 'x-request-id', 'psu-id', 'psu-corporate-id', 'tpp-redirect-uri']),
      {
        minItems: 2,
        uniqueItems: true,
      },
    ),
    /** Whether they are signed as listed, or by the alphabet. */
    order: Type.Enum(['listed', 'sorted']),
    algorithm: Type.Enum(['rsa-sha256', 'rsa-sha512']),
    digest: Type.Enum(['SHA-256', 'SHA-512']),
    /** How spaces of the issuer's name stand in `keyId`: as `%20`, like in the standard's sample, or as they are. */
    keyIdSpaces: Type.Enum(['escaped', 'plain']),
    /** How `TPP-Signature-Certificate` holds the certificate: base64 of its DER, or its PEM text on one line. */
    certificate: Type.Enum(['der', 'pem']),
  },
  { additionalProperties: false },
)
export type SignatureTerms = Static<typeof SignatureTerms>

/** As NextGenPSD2 1.3 has it (implementation guidelines, chapter 12). */
export const STANDARD_SIGNATURE: SignatureTerms = {
  headers: ['digest', 'x-request-id', 'psu-id', 'psu-corporate-id', 'tpp-redirect-uri'],
  order: 'listed',
  algorithm: 'rsa-sha256',
  digest: 'SHA-256',
  keyIdSpaces: 'escaped',
  certificate: 'der',
}
