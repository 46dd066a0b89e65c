/** Probes the address, and which headers, signature and token every call needs. */

import { randomUUID } from 'node:crypto'
import { type Finding, finding } from '../../../connector/probe-report.ts'
import { type Dialect, withoutVersion } from '../dialect.ts'
import { createAndDelete } from './delete-resource.ts'
import { isOfSignature, probeSignature } from './probe-signature.ts'
import { describeAnswer, isSameAnswer, type ProbeAnswer, type Prober, withDialect } from './prober.ts'

const INVENTED = 'havn'
const CLOSED = 'The bank requires a token for every call: users sign in first. The other settings cannot be probed.'
const REJECTED = 'The bank rejects every call without what dialect.onEveryCall is to have: set it, and probe again.'

/** The findings, and how to go on. */
export type AccessProbe = {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  /** With the address, signature and headers that the bank accepts. */
  readonly prober: Prober
  /** Whether every call is rejected, so that further probing is pointless. */
  readonly isClosed: boolean
}

/** Throws `BankError` where the bank cannot be reached. */
export async function probeAccess(prober: Prober): Promise<AccessProbe> {
  const path = `/consents/${randomUUID()}`
  const first = await prober.ask({ method: 'GET', path })
  const address = await probeAddress(prober, path, first)
  const signature = asksForToken(address.answer) ? undefined : await probeSignature(address.prober)
  const signed = signature?.prober ?? address.prober
  const usual = signed === prober ? first : await signed.ask({ method: 'GET', path })
  const findings = [...address.findings, ...(signature === undefined ? [] : [signature.finding])]
  const notes = [
    ...address.notes,
    `A consent that does not exist is answered with ${describeAnswer(usual)}.`,
    ...notesOn(usual),
  ]
  if (await isUnauthorised(signed)) {
    return { prober: signed, findings, notes: [...notes, CLOSED], isClosed: true }
  }
  const everyCall = await probeEveryCall(signed, path, usual)
  return {
    prober: everyCall.prober ?? signed,
    findings: [...findings, everyCall.finding],
    notes: everyCall.prober === undefined ? [...notes, REJECTED] : notes,
    isClosed: everyCall.prober === undefined,
  }
}

/** Whether every kind of creation is answered with 401: whatever its code, the bank requires a token. */
async function isUnauthorised(prober: Prober): Promise<boolean> {
  const { account } = prober.dialect.products
  const consent = await createAndDelete(prober, '/consents')
  return consent.status === 401 && (await createAndDelete(prober, `/payments/${account}`)).status === 401
}

/** The setting `oauth`, from all answers of the probe. */
export function oauthFinding({ bank, answers, created }: Prober): Finding {
  const { oauth: profile } = bank.profile
  const finds = (suggested: string, because: string) => finding('oauth', { profile, suggested }, because)
  const creations = answers.filter(({ method }) => method === 'POST')
  const isClosed = creations.every(({ status }) => status === 401)
  const wanting = answers.find(asksForToken) ?? (isClosed ? creations[0] : undefined)
  if (wanting !== undefined) {
    return finds('pre-step', `without a token the bank answers ${describeAnswer(wanting)}`)
  }
  return created.links().has('scaOAuth')
    ? finds('integrated', 'links have scaOAuth')
    : finds(profile === 'pre-step' ? 'none' : profile, 'calls without a token are answered')
}

function asksForToken({ status, headers, errors }: ProbeAnswer): boolean {
  const namesToken = errors.some(({ code }) => code.startsWith('TOKEN_'))
  return status === 401 && (namesToken || /\bbearer\b/i.test(headers['www-authenticate'] ?? ''))
}

/** The connector appends the version: an address with it doubles it. */
async function probeAddress(
  prober: Prober,
  path: string,
  answer: ProbeAnswer,
): Promise<Pick<AccessProbe, 'prober' | 'findings' | 'notes'> & { readonly answer: ProbeAnswer }> {
  const { address } = prober.bank
  const shorter = withoutVersion(address)
  if (shorter === address) {
    return { prober, answer, findings: [], notes: [] }
  }
  const changed = prober.at({ ...prober.bank, address: shorter })
  const other = await changed.ask({ method: 'GET', path })
  const isRight = answer.status === 404 && !isSameAnswer(answer, other)
  const because = `/v1 is appended to it: there a consent is answered with ${describeAnswer(answer)}, without it with ${describeAnswer(other)}`
  return {
    ...(isRight ? { prober: changed, answer: other } : { prober, answer }),
    findings: [finding('--address', { profile: address, suggested: isRight ? shorter : undefined }, because)],
    notes: [`The address ends in /v1, which is appended to every address: the base URL is probably ${shorter}.`],
  }
}

function notesOn({ headers, errors }: ProbeAnswer): readonly string[] {
  const isEchoed = headers['x-request-id'] !== undefined
  const ofIdentity = errors.filter(({ code }) => /^(CERTIFICATE|ROLE|TIMESTAMP|SIGNATURE)_/.test(code)).slice(0, 1)
  const advice = 'correct that first, then probe again (havn certificates show).'
  return [
    `The bank ${isEchoed ? 'returns X-Request-ID, as the standard requires' : 'does not return X-Request-ID'}.`,
    ...ofIdentity.map(({ code }) => `The bank names our certificate or signature (${code}): ${advice}`),
  ]
}

/** The finding, and the prober with what the bank demands. Undefined where no value is known to satisfy it. */
async function probeEveryCall(
  prober: Prober,
  path: string,
  usual: ProbeAnswer,
): Promise<{ readonly finding: Finding; readonly prober: Prober | undefined }> {
  const { onEveryCall } = prober.dialect
  const profile =
    onEveryCall === undefined ? [] : [...Object.keys(onEveryCall.headers), ...Object.keys(onEveryCall.query)]
  const bare = onEveryCall === undefined ? usual : await askWith(prober, path, { headers: {}, query: {} })
  const demanded = demandedIn(usual)
  const missing = demanded.filter((name) => !profile.includes(name))
  const isDemanded = demanded.length > 0 || (onEveryCall !== undefined && !isSameAnswer(bare, usual))
  const because = `a call without any is answered with ${describeAnswer(bare)}`
  const suggested = isDemanded ? [...profile, ...missing] : []
  return {
    finding: finding('dialect.onEveryCall', { profile, suggested }, because),
    prober: demanded.length === 0 ? prober : await withInventedValues(prober, path, missing),
  }
}

/** Many banks accept any value; it is for the operator to set the right one. */
async function withInventedValues(prober: Prober, path: string, names: readonly string[]): Promise<Prober | undefined> {
  const { headers, query } = prober.dialect.onEveryCall ?? { headers: {}, query: {} }
  const invented = (wanted: readonly string[]) => Object.fromEntries(wanted.map((name) => [name, INVENTED]))
  const isHeader = (name: string) => name.includes('-')
  const onEveryCall = {
    headers: { ...headers, ...invented(names.filter(isHeader)) },
    query: { ...query, ...invented(names.filter((name) => !isHeader(name))) },
  }
  const answer = await askWith(prober, path, onEveryCall)
  return demandedIn(answer).length === 0 ? withDialect(prober, { onEveryCall }) : undefined
}

async function askWith(
  prober: Prober,
  path: string,
  onEveryCall: NonNullable<Dialect['onEveryCall']>,
): Promise<ProbeAnswer> {
  return await withDialect(prober, { onEveryCall }).ask({ method: 'GET', path })
}

/** The fields that a 400 names, except the id in the path; a bank without paths names its header in the text. */
function demandedIn(answer: ProbeAnswer): readonly string[] {
  if (answer.status !== 400 || isOfSignature(answer)) {
    return []
  }
  return answer.errors
    .flatMap(({ path, text }) => path ?? /\bx-(?!request-id)[a-z][a-z0-9-]*/i.exec(text ?? '')?.[0] ?? [])
    .filter((name) => !/consent-?id/i.test(name))
}
