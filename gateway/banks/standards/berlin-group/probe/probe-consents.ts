/** Probes consents: asks for one in each form, reads it and deletes it at once; no user is asked to sign anything. */
import { parseJson } from '../../../../platform/parse-json.ts'
import { type Finding, finding } from '../../../connector/probe-report.ts'
import type { Dialect } from '../dialect.ts'
import { consentBody } from '../translate-status.ts'
import { type Consent, type Links, readConsent, readConsentCreated } from '../wire.ts'
import { creationHeaders, describeAnswer, type ProbeAnswer, type Prober } from './prober.ts'

/** How a consent is asked for. */
type Form = Pick<Dialect, 'consentAccess' | 'askOwnerName'>

type Tried = {
  readonly form: Form
  readonly answer: ProbeAnswer
  readonly created: Created | undefined
}

/** A consent that was made, and deleted since. */
type Created = {
  readonly links: Links
  readonly hosts: readonly string[]
  readonly held: Consent | undefined
  readonly frequencyPerDay: unknown
  readonly deletion: string
}

const MODELS = ['bank-offered', 'all-accounts'] as const

/** What the answers suggest on consents. */
export async function probeConsents(
  prober: Prober,
): Promise<{ readonly findings: readonly Finding[]; readonly notes: readonly string[] }> {
  const tried: Tried[] = []
  for (const consentAccess of MODELS) {
    for (const askOwnerName of [true, false]) {
      tried.push(await attempt(prober, { consentAccess, askOwnerName }))
    }
  }
  const taken = tried.flatMap(({ created }) => created ?? [])
  const findings = [
    accessFinding(prober, tried),
    ownerNameFinding(prober, tried),
    await userFinding(prober, tried),
    authorisationsFinding(prober, taken),
    validityFinding(prober, taken),
    frequencyFinding(prober, taken),
    linkHostsFinding(prober, taken),
  ]
  return { findings, notes: deletionNotes(taken) }
}

function deletionNotes(taken: readonly Created[]): readonly string[] {
  const answers = [...new Set(taken.map(({ deletion }) => deletion))]
  return answers.length === 0 ? [] : [`Consents that were made were deleted; the bank answered ${answers.join(', ')}.`]
}

async function attempt(prober: Prober, form: Form, { withoutUser = false } = {}): Promise<Tried> {
  const { bank, dialect, today, line } = prober
  const validUntil = today.add({ days: bank.profile.maxConsentValidityDays })
  const answer = await prober.ask({
    method: 'POST',
    path: '/consents',
    withoutUser,
    headers: creationHeaders(line),
    body: consentBody({ validUntil, requestId: '' }, { ...dialect, ...form }),
  })
  return { form, answer, created: await readAndDelete(prober, answer) }
}

/** Whatever the bank has made is deleted before anything else is asked. */
async function readAndDelete(prober: Prober, answer: ProbeAnswer): Promise<Created | undefined> {
  const consent = answer.status === 201 ? readConsentCreated(answer.body) : undefined
  if (consent === undefined) {
    return undefined
  }
  const path = `/consents/${encodeURIComponent(consent.consentId)}`
  const held = await prober.ask({ method: 'GET', path })
  const deleted = await prober.ask({ method: 'DELETE', path })
  return {
    links: consent._links ?? {},
    hosts: hostsIn(answer.body),
    held: held.status === 200 ? readConsent(held.body) : undefined,
    frequencyPerDay: memberOf(held.body, 'frequencyPerDay'),
    deletion: describeAnswer(deleted),
  }
}

/** Hosts of all absolute links of an answer, with their ports. */
function hostsIn(body: string): readonly string[] {
  const hrefs = Object.values(Object(memberOf(body, '_links'))).map((link) => String(Object(link).href ?? ''))
  return hrefs.filter((href) => /^https?:/.test(href)).flatMap((href) => URL.parse(href)?.host ?? [])
}

function memberOf(body: string, name: string): unknown {
  try {
    return Object(parseJson(body))[name]
  } catch {
    return undefined
  }
}

function accessFinding({ dialect }: Prober, tried: readonly Tried[]): Finding {
  const { consentAccess: profile } = dialect
  const taken = MODELS.filter((model) => tried.some((one) => one.created && one.form.consentAccess === model))
  const suggested = taken.includes(profile) ? profile : taken[0]
  const told = taken.length === 0 ? `no form of consent is taken: ${reasonOf(tried)}` : `takes ${taken.join(' and ')}`
  return finding('dialect.consentAccess', { profile, suggested }, `the bank ${told}`.replace('the bank no', 'no'))
}

function ownerNameFinding({ dialect }: Prober, tried: readonly Tried[]): Finding {
  const { askOwnerName: profile } = dialect
  const [asking, without] = [true, false].map((asked) =>
    tried.find((one) => one.created !== undefined && one.form.askOwnerName === asked),
  )
  const refused = tried.find((one) => one.created === undefined && one.form.askOwnerName)
  if (asking !== undefined) {
    return finding('dialect.askOwnerName', { profile, suggested: true }, "a consent to the owners' names is taken")
  }
  const because = refused === undefined ? 'no consent is taken' : describeAnswer(refused.answer)
  return finding('dialect.askOwnerName', { profile, suggested: without && false }, `asking is answered with ${because}`)
}

async function userFinding(prober: Prober, tried: readonly Tried[]): Promise<Finding> {
  const { required: profile } = prober.bank.profile.userId
  const finds = (suggested: boolean | undefined, because: string) =>
    finding('userId.required', { profile, suggested }, because)
  const taken = tried.find(({ created }) => created !== undefined)
  if (prober.options.userId === null) {
    const namesUser = tried.some(({ answer }) => answer.errors.some(isOfUser))
    return taken === undefined
      ? finds(namesUser || undefined, `a consent without PSU-ID is answered with ${reasonOf(tried)}`)
      : finds(false, 'a consent without PSU-ID is taken')
  }
  if (taken === undefined) {
    return finds(undefined, 'no consent is taken, with PSU-ID or without')
  }
  const without = await attempt(prober, taken.form, { withoutUser: true })
  return without.created === undefined
    ? finds(true, `a consent without PSU-ID is answered with ${describeAnswer(without.answer)}`)
    : finds(false, 'a consent without PSU-ID is taken')
}

function isOfUser({ code, path, text }: ProbeAnswer['errors'][number]): boolean {
  return code === 'PSU_CREDENTIALS_INVALID' || /psu-id/i.test(`${path ?? ''} ${text ?? ''}`)
}

function authorisationsFinding({ dialect }: Prober, taken: readonly Created[]): Finding {
  const { authorisations: profile } = dialect
  const names = [...new Set(taken.flatMap(({ links }) => Object.keys(links)))]
  const isImplicit = names.some((name) => name === 'scaRedirect' || name === 'scaOAuth')
  const isExplicit = names.some((name) => name.startsWith('startAuthorisation'))
  const suggested = isImplicit ? 'implicit' : isExplicit ? 'explicit' : undefined
  const because =
    names.length === 0 ? 'no answer has a link that begins an authorisation' : `links: ${names.join(', ')}`
  return finding('dialect.authorisations', { profile, suggested }, because)
}

/** A bank that shortens what is asked for says so when the consent is read. */
function validityFinding({ bank, today }: Prober, taken: readonly Created[]): Finding {
  const { maxConsentValidityDays: profile } = bank.profile
  const held = taken.find((one) => one.held?.validUntil !== undefined)?.held?.validUntil
  const until = held === undefined ? undefined : dayIn(held)
  const days = until === undefined ? undefined : today.until(until, { largestUnit: 'days' }).days
  return finding(
    'maxConsentValidityDays',
    { profile, suggested: days },
    until === undefined
      ? 'no consent tells until when it is valid'
      : `asked for ${profile} days, it is valid until ${until}`,
  )
}

function frequencyFinding({ dialect }: Prober, taken: readonly Created[]): Finding {
  const { frequencyPerDay: profile } = dialect
  const granted = taken.find(({ frequencyPerDay }) => typeof frequencyPerDay === 'number')?.frequencyPerDay
  const because = granted === undefined ? 'no consent tells it' : `asked for ${profile}, a consent grants ${granted}`
  return finding('dialect.frequencyPerDay', { profile, suggested: granted }, because)
}

function dayIn(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text.slice(0, 'YYYY-MM-DD'.length))
  } catch {
    return undefined
  }
}

function linkHostsFinding({ bank }: Prober, taken: readonly Created[]): Finding {
  const known = new Set([...bank.linkHosts, new URL(bank.address).host])
  const hosts = [...new Set(taken.flatMap((one) => one.hosts))]
  const missing = hosts.filter((host) => !known.has(host))
  return finding(
    '--link-host',
    { profile: [...bank.linkHosts], suggested: taken.length === 0 ? undefined : [...bank.linkHosts, ...missing] },
    hosts.length === 0 ? 'links are relative' : `links lead to ${hosts.join(', ')}`,
  )
}

function reasonOf(tried: readonly Tried[]): string {
  const [first] = tried
  return first === undefined ? 'nothing' : describeAnswer(first.answer)
}
