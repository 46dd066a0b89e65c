/** Probes whether a bank requires signed requests, and in which form, with an empty consent request. */
import { isDeepStrictEqual } from 'node:util'
import { type Finding, finding } from '../../../connector/probe-report.ts'
import { type Dialect, SignatureSettings, STANDARD_SIGNATURE } from '../dialect.ts'
import { createAndDelete } from './delete-resource.ts'
import { describeAnswer, isConclusive, isSameAnswer, type ProbeAnswer, type Prober, withDialect } from './prober.ts'

type Signature = SignatureSettings | 'none'
type Headers = SignatureSettings['headers']

const MINIMAL: Headers = ['digest', 'x-request-id']
/** Which headers banks require to be signed, in this order. */
const SIGNED_HEADERS: readonly Headers[] = [
  STANDARD_SIGNATURE.headers,
  ['date', ...STANDARD_SIGNATURE.headers],
  [...STANDARD_SIGNATURE.headers, 'date'],
  MINIMAL,
  ['date', ...MINIMAL],
]

/** The finding, and the prober with the signature that the bank accepts. */
export async function probeSignature(prober: Prober): Promise<{ readonly prober: Prober; readonly finding: Finding }> {
  const current = prober.dialect.signature ?? STANDARD_SIGNATURE
  const usual = await createAndDelete(prober, '/consents')
  const finds = (suggested: Signature | undefined, because: string) => ({
    prober: suggested === undefined ? prober : withDialect(prober, { signature: suggested }),
    finding: finding(
      'dialect.signature',
      { profile: nameOf(current), suggested: suggested && nameOf(suggested) },
      because,
    ),
  })
  if (isOfSignature(usual)) {
    const accepted = prober.canSign ? await findAccepted(prober, current, usual) : undefined
    const result = accepted !== undefined ? '' : prober.canSign ? '; so are its variants' : '; nothing is signed here'
    return finds(
      accepted ?? (current === 'none' ? STANDARD_SIGNATURE : undefined),
      `the signature of the profile is answered with ${describeAnswer(usual)}${result}`,
    )
  }
  if (current === 'none' || !prober.canSign) {
    return finds(current === 'none' ? 'none' : undefined, 'unsigned calls are answered')
  }
  const unsigned = await createAndDelete(withDialect(prober, { signature: 'none' }), '/consents')
  return isSameAnswer(unsigned, usual)
    ? finds(undefined, 'signed and unsigned calls get the same answer')
    : finds(current, `an unsigned call is answered with ${describeAnswer(unsigned)}`)
}

/** The first variant to which the bank does not object. */
async function findAccepted(prober: Prober, current: Signature, usual: ProbeAnswer): Promise<Signature | undefined> {
  for (const signature of variantsOf(current)) {
    const answer = await createAndDelete(withDialect(prober, { signature }), '/consents')
    if (isConclusive(answer) && !isOfSignature(answer) && !isSameAnswer(answer, usual)) {
      return signature
    }
  }
  return undefined
}

/** Other signatures than the current one, of one setting, then of two: more would be hundreds of requests. */
function variantsOf(current: Signature): readonly Signature[] {
  const origin = current === 'none' ? STANDARD_SIGNATURE : current
  const single = neighboursOf(origin)
  const variants: readonly Signature[] = [...single, ...single.flatMap(neighboursOf), STANDARD_SIGNATURE, 'none']
  const byText = new Map(variants.map((signature) => [JSON.stringify(signature), signature]))
  return [...byText].flatMap(([text, signature]) => (text === JSON.stringify(current) ? [] : [signature]))
}

/** The settings with one of them changed. */
function neighboursOf(origin: SignatureSettings): readonly SignatureSettings[] {
  const { order, algorithm, digest, keyIdSpaces, certificate } = SignatureSettings.properties
  return [
    ...SIGNED_HEADERS.map((headers) => ({ ...origin, headers: [...headers] })),
    ...order.enum.map((changed) => ({ ...origin, order: changed })),
    ...algorithm.enum.map((changed) => ({ ...origin, algorithm: changed })),
    ...digest.enum.map((changed) => ({ ...origin, digest: changed })),
    ...keyIdSpaces.enum.map((changed) => ({ ...origin, keyIdSpaces: changed })),
    ...certificate.enum.map((changed) => ({ ...origin, certificate: changed })),
  ]
}

/** Certificates count: a bank that cannot read the header's form calls the certificate invalid or missing. */
export function isOfSignature({ status, errors }: ProbeAnswer): boolean {
  return (
    status >= 400 &&
    errors.some(
      ({ code, path, text }) =>
        /^(SIGNATURE|TIMESTAMP)_/.test(code) ||
        /signature|digest|keyid/i.test(`${path ?? ''} ${text ?? ''}`) ||
        /^CERTIFICATE_/.test(code),
    )
  )
}

function nameOf(signature: NonNullable<Dialect['signature']>): string {
  return isDeepStrictEqual(signature, STANDARD_SIGNATURE)
    ? 'standard'
    : typeof signature === 'string'
      ? signature
      : JSON.stringify(signature)
}
