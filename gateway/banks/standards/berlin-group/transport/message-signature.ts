/** Signs messages to banks as NextGenPSD2 requires (draft-cavage-http-signatures-10). */
import { hash, sign, subtle, type X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import type {
  BankRequest,
  BankResponse,
  ConnectorDependencies,
  SendBankRequest,
  SigningIdentity,
} from '../../../connector/connector-dependencies.ts'
import { dialectOf, type SignatureSettings, STANDARD_SIGNATURE } from '../dialect.ts'

const HASH_BY_ALGORITHM = { 'rsa-sha256': 'sha256', 'rsa-sha512': 'sha512' } as const
const HASH_BY_DIGEST = { 'SHA-256': 'sha256', 'SHA-512': 'sha512' } as const
/** Longer bodies are hashed in the thread pool, so that they do not block the event loop. */
const ASYNC_HASH_CHARACTERS_MIN = 65_536
/** Signs in the thread pool: an RSA signature takes a millisecond. */
const signAsync = promisify(sign)

/** The request with its signature. Neither the body nor a signed header may change afterwards. */
export async function signMessage(
  request: BankRequest,
  { certificate, key }: NonNullable<SigningIdentity['qseal']>,
  terms: SignatureSettings,
  now: Temporal.Instant,
): Promise<BankRequest> {
  // An absent body counts as empty.
  const { body = '' } = request
  const digest =
    body.length < ASYNC_HASH_CHARACTERS_MIN
      ? hash(HASH_BY_DIGEST[terms.digest], body, 'base64')
      : Buffer.from(await subtle.digest(terms.digest, Buffer.from(body, 'utf8'))).toString('base64')
  const headers: BankRequest['headers'] = {
    ...request.headers,
    ...(terms.headers.includes('date') ? { date: new Date(now.epochMilliseconds).toUTCString() } : {}),
    digest: `${terms.digest}=${digest}`,
  }
  const present = terms.headers.filter((name) => headers[name] !== undefined)
  const names = terms.order === 'sorted' ? present.toSorted() : present
  const text = names.map((name) => `${name}: ${headers[name]?.trim()}`).join('\n')
  // Header values are sent as Latin-1: the signature covers the bytes that the bank receives.
  const signature = await signAsync(HASH_BY_ALGORITHM[terms.algorithm], Buffer.from(text, 'latin1'), key)
  const der = certificate.raw.toString('base64')
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
      'tpp-signature-certificate':
        terms.certificate === 'der' ? der : `-----BEGIN CERTIFICATE-----${der}-----END CERTIFICATE-----`,
    },
  }
}

/** Serial number and issuer of our certificate; the name starts with the most specific part, as in RFC 2253. */
export function keyIdOf(
  { serialNumber, issuer }: Pick<X509Certificate, 'serialNumber' | 'issuer'>,
  spaces: SignatureSettings['keyIdSpaces'],
): string {
  const name = issuer.trim().split('\n').toReversed().join(',')
  // A header has no other characters than those of Latin-1.
  const sendable = /[\u0100-\uffff]/.test(name) ? name.replace(/[^ -~]+/g, encodeURIComponent) : name
  const written = spaces === 'escaped' ? sendable.replaceAll(' ', '%20') : sendable
  // Hexadecimal without leading zeros: some banks compare it as text.
  return `SN=${BigInt(`0x${serialNumber}`).toString(16)},CA=${written}`
}

/**
 * Returns `fetch` with signatures. Requests stay unsigned without a QSEAL, at a bank that accepts no signatures, and
 * without TLS, which is only possible for a bank on this machine.
 */
export function signRequests<Answer extends BankResponse>(
  { now, identity }: Pick<ConnectorDependencies, 'now' | 'identity'>,
  fetch: SendBankRequest<Answer>,
): SendBankRequest<Answer> {
  return async (bank, request) => {
    const certificate = identity(bank).qseal
    const { signature = STANDARD_SIGNATURE } = dialectOf(bank.profile)
    return certificate === null || signature === 'none' || URL.parse(request.url)?.protocol !== 'https:'
      ? await fetch(bank, request)
      : await fetch(bank, await signMessage(request, certificate, signature, now()))
  }
}
