/** Probes which headers, signature and token every call needs, by reading resources that do not exist. */

import { randomUUID } from 'node:crypto'
import { type Finding, finding } from '../../../connector/probe-report.ts'
import type { Dialect } from '../dialect.ts'
import { describeAnswer, isSameAnswer, type ProbeAnswer, type Prober } from './prober.ts'

/** The findings, and the bank's answer to a call that follows the profile. */
export type AccessProbe = {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  /** Whether every call requires a token, so that further probing is pointless. */
  readonly isClosed: boolean
}

/** Throws `BankError` where the bank cannot be reached. */
export async function probeAccess(prober: Prober): Promise<AccessProbe> {
  const path = `/consents/${randomUUID()}`
  const usual = await prober.ask({ method: 'GET', path })
  const wantsToken = asksForToken(usual)
  const notes = [`A consent that does not exist is answered with ${describeAnswer(usual)}.`, ...notesOn(usual)]
  if (wantsToken) {
    return { findings: [oauthFinding(prober, usual, wantsToken)], notes, isClosed: true }
  }
  return {
    findings: [
      oauthFinding(prober, usual, wantsToken),
      await signatureFinding(prober, path, usual),
      await onEveryCallFinding(prober, path, usual),
    ],
    notes,
    isClosed: false,
  }
}

function asksForToken({ status, headers, errors }: ProbeAnswer): boolean {
  const namesToken = errors.some(({ code }) => code.startsWith('TOKEN_'))
  return status === 401 && (namesToken || /\bbearer\b/i.test(headers['www-authenticate'] ?? ''))
}

function notesOn({ headers, errors }: ProbeAnswer): readonly string[] {
  const ofIdentity = errors.find(({ code }) => /^(CERTIFICATE|ROLE|TIMESTAMP)_/.test(code))
  return [
    headers['x-request-id'] === undefined
      ? 'The bank does not return X-Request-ID.'
      : 'The bank returns X-Request-ID, as the standard requires.',
    ...(ofIdentity === undefined ? [] : [`The bank does not accept our certificate: ${ofIdentity.code}.`]),
  ]
}

function oauthFinding({ bank }: Prober, usual: ProbeAnswer, wantsToken: boolean): Finding {
  const { oauth } = bank.profile
  return wantsToken
    ? finding(
        'oauth',
        { profile: oauth, suggested: 'pre-step' },
        `without a token the bank answers ${describeAnswer(usual)}`,
      )
    : finding(
        'oauth',
        { profile: oauth, suggested: oauth === 'pre-step' ? 'none' : oauth },
        'calls without a token are answered',
      )
}

async function signatureFinding(prober: Prober, path: string, usual: ProbeAnswer): Promise<Finding> {
  const profile = prober.dialect.signature === 'none' ? 'none' : 'signed'
  const finds = (suggested: string | undefined, because: string) =>
    finding('dialect.signature', { profile, suggested }, because)
  if (profile === 'none' || !prober.bank.address.startsWith('https:')) {
    return isOfSignature(usual)
      ? finds('signed', `an unsigned call is answered with ${describeAnswer(usual)}`)
      : finds(profile === 'none' ? 'none' : undefined, 'unsigned calls are answered')
  }
  const unsigned = await prober.ask({ method: 'GET', path, dialect: { signature: 'none' } })
  if (isSameAnswer(unsigned, usual)) {
    return finds(undefined, 'signed and unsigned calls get the same answer')
  }
  return isOfSignature(usual)
    ? finds('none', `the signature is answered with ${describeAnswer(usual)}`)
    : finds('signed', `an unsigned call is answered with ${describeAnswer(unsigned)}`)
}

function isOfSignature({ errors }: ProbeAnswer): boolean {
  return errors.some(({ code }) => code.startsWith('SIGNATURE_'))
}

async function onEveryCallFinding(prober: Prober, path: string, usual: ProbeAnswer): Promise<Finding> {
  const { onEveryCall, ...rest } = prober.dialect
  const profile = namesIn(onEveryCall)
  const without: Dialect = rest
  const bare = onEveryCall === undefined ? usual : await prober.ask({ method: 'GET', path, dialect: only(without) })
  const demanded = bare.status === 400 ? bare.errors.flatMap(({ path: name }) => name ?? []) : []
  const isDemanded = onEveryCall === undefined ? demanded.length > 0 : !isSameAnswer(bare, usual)
  const because = `a call without any is answered with ${describeAnswer(bare)}`
  const names = demanded.every((name) => profile.includes(name)) && isDemanded ? profile : demanded
  return finding('dialect.onEveryCall', { profile, suggested: isDemanded ? names : [] }, because)
}

function namesIn(onEveryCall: Dialect['onEveryCall']): readonly string[] {
  return onEveryCall === undefined ? [] : [...Object.keys(onEveryCall.headers), ...Object.keys(onEveryCall.query)]
}

/** Settings without additional headers and query parameters. */
function only(dialect: Dialect): Partial<Dialect> {
  return { ...dialect, onEveryCall: { headers: {}, query: {} } }
}
