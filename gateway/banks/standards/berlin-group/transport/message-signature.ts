/** Signs messages to banks: `Digest`, `Signature` and `TPP-Signature-Certificate` (NextGenPSD2, draft-cavage-http-signatures-10). */
import { createHash, type KeyObject, sign, subtle, type X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import type { BankRequest } from '../../../connector/connector-dependencies.ts'
import type { SignatureTerms } from './signature-settings.ts'

/** What messages are signed with. */
export type SigningCertificate = { readonly certificate: X509Certificate; readonly key: KeyObject }

const HASH_BY_ALGORITHM = { 'rsa-sha256': 'sha256', 'rsa-sha512': 'sha512' } as const
const HASH_BY_DIGEST = { 'SHA-256': 'sha256', 'SHA-512': 'sha512' } as const
/** From this length on a body takes longer to hash than to be handed over to where that is done beside the event loop. */
const HASHED_ASIDE_CHARACTERS = 65_536
/** Made beside the event loop: an RSA signature takes a millisecond. */
const signAside = promisify(sign)

/** The request with its signature. Nothing of it may change afterwards: neither a byte of the body nor a signed header. */
export async function signed(
  request: BankRequest,
  { certificate, key }: SigningCertificate,
  terms: SignatureTerms,
  now: Temporal.Instant,
): Promise<BankRequest> {
  const headers = {
    ...request.headers,
    ...(terms.headers.includes('date') ? { date: httpDate(now) } : {}),
    digest: await digestOf(request.body ?? '', terms.digest),
  }
  const names = signedNames(headers, terms)
  const text = signingString(names, headers)
  // Header values leave as Latin-1: what is signed are the bytes that the bank receives.
  const signature = await signAside(HASH_BY_ALGORITHM[terms.algorithm], Buffer.from(text, 'latin1'), key)
  return {
    ...request,
    headers: {
      ...headers,
      signature: [
        `keyId="${keyIdOf(certificate, terms.keyIdSpaces)}"`,
        `algorithm="${terms.algorithm}"`,
        `headers="${names.join(' ')}"`,
        `signature="${signature.toString('base64')}"`,
      ].join(','),
      'tpp-signature-certificate': headerOf(certificate, terms.certificate),
    },
  }
}

/** The hash of the body exactly as it is sent; an absent one is empty. */
export async function digestOf(body: string, digest: SignatureTerms['digest']): Promise<string> {
  const hash =
    body.length < HASHED_ASIDE_CHARACTERS
      ? createHash(HASH_BY_DIGEST[digest]).update(body, 'utf8').digest()
      : Buffer.from(await subtle.digest(digest, Buffer.from(body, 'utf8')))
  return `${digest}=${hash.toString('base64')}`
}

function signedNames(headers: BankRequest['headers'], { headers: wanted, order }: SignatureTerms): readonly string[] {
  const names = wanted.filter((name) => headers[name] !== undefined)
  return order === 'sorted' ? names.toSorted() : names
}

/** A line for each header, without one at the end. */
export function signingString(names: readonly string[], headers: BankRequest['headers']): string {
  return names.map((name) => `${name}: ${headers[name]?.trim()}`).join('\n')
}

/** Our certificate by serial number and issuer; the name begins with its innermost part, as RFC 2253 writes it. */
export function keyIdOf(
  { serialNumber, issuer }: Pick<X509Certificate, 'serialNumber' | 'issuer'>,
  spaces: SignatureTerms['keyIdSpaces'],
): string {
  const name = issuer.trim().split('\n').toReversed().join(',')
  const written = spaces === 'escaped' ? name.replaceAll(' ', '%20') : name
  // Hexadecimal without leading zeros: some banks compare it as text.
  return `SN=${BigInt(`0x${serialNumber}`).toString(16)},CA=${written}`
}

function headerOf({ raw }: X509Certificate, form: SignatureTerms['certificate']): string {
  const text = raw.toString('base64')
  return form === 'der' ? text : `-----BEGIN CERTIFICATE-----${text}-----END CERTIFICATE-----`
}

/** The form that HTTP has for dates, e.g. `Sat, 21 Nov 2026 06:00:00 GMT`. */
export function httpDate(at: Temporal.Instant): string {
  return new Date(at.epochMilliseconds).toUTCString()
}
