/** Probes consents: creates one in each form, reads it and deletes it at once, without starting an authorisation. */
import { parseDay } from '../../../../platform/clock.ts'
import { type Finding, finding } from '../../../connector/probe-report.ts'
import type { Dialect } from '../dialect.ts'
import { consentBody } from '../translate-consent.ts'
import { type CreatedResource, fieldsIn } from './created-resources.ts'
import { deleteResource } from './delete-resource.ts'
import { mentions } from './order-trials.ts'
import { creationHeaders, describeAnswer, isConclusive, type ProbeAnswer, type Prober } from './prober.ts'

/** The form of a consent request. */
type Form = Pick<Dialect, 'consentAccess' | 'askOwnerName'>

type Tried = {
  readonly form: Form
  readonly answer: ProbeAnswer
  readonly created: Created | undefined
}

/** What a consent showed before it was deleted. */
type Created = {
  readonly hosts: readonly string[]
  readonly validUntil: unknown
  readonly frequencyPerDay: unknown
}

const MODELS = ['bank-offered', 'all-accounts'] as const

/** Lower terms than the profile's, for banks that reject too high ones rather than reducing them. */
const LOWER_DAYS = [90, 30]
const LOWER_FREQUENCIES = [4, 1]

/** The findings about consents. */
export async function probeConsents(prober: Prober): Promise<readonly Finding[]> {
  const { used, tried } = await tryTerms(prober)
  const accepted = tried.flatMap(({ created }) => created ?? [])
  return [
    accessFinding(prober, tried),
    ownerNameFinding(prober, tried),
    await userFinding(used, tried),
    validityFinding(prober, used, accepted),
    frequencyFinding(prober, used, accepted),
    linkHostsFinding(prober, accepted),
  ]
}

/** Tries every form, and again with lower terms while none is accepted because of them. */
async function tryTerms(prober: Prober): Promise<{ readonly used: Prober; readonly tried: readonly Tried[] }> {
  const tried: Tried[] = []
  for (const consentAccess of MODELS) {
    for (const askOwnerName of [true, false]) {
      tried.push(await attempt(prober, { consentAccess, askOwnerName }))
    }
  }
  const lower = tried.some(({ created }) => created !== undefined) ? undefined : withLowerTerms(prober, tried)
  return lower === undefined ? { used: prober, tried } : await tryTerms(lower)
}

function withLowerTerms(prober: Prober, tried: readonly Tried[]): Prober | undefined {
  const { maxConsentValidityDays, ...profile } = prober.bank.profile
  const { frequencyPerDay } = prober.dialect
  const lowered = (name: string, terms: readonly number[], current: number) =>
    tried.some(({ answer }) => mentions(answer, name)) ? terms.find((term) => term < current) : undefined
  const days = lowered('validUntil', LOWER_DAYS, maxConsentValidityDays)
  const frequency = lowered('frequencyPerDay', LOWER_FREQUENCIES, frequencyPerDay)
  if (days === undefined && frequency === undefined) {
    return undefined
  }
  const dialect = { ...prober.dialect, frequencyPerDay: frequency ?? frequencyPerDay }
  return prober.at({
    ...prober.bank,
    profile: { ...profile, dialect, maxConsentValidityDays: days ?? maxConsentValidityDays },
  })
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
  return { form, answer, created: answer.created && (await readAndDelete(prober, answer, answer.created)) }
}

/** A created consent is deleted before the next one. */
async function readAndDelete(prober: Prober, answer: ProbeAnswer, created: CreatedResource): Promise<Created> {
  const held =
    created.id === null
      ? undefined
      : await prober.ask({ method: 'GET', path: `/consents/${encodeURIComponent(created.id)}` })
  await deleteResource(prober, created)
  const { validUntil, frequencyPerDay } = held?.status === 200 ? fieldsIn(held.body) : {}
  return { hosts: hostsIn(answer.body), validUntil, frequencyPerDay }
}

/** Hosts and ports of all absolute links in an answer. */
function hostsIn(body: string): readonly string[] {
  const hrefs = Object.values(Object(fieldsIn(body)['_links'])).map((link) => String(Object(link).href ?? ''))
  return hrefs.filter((href) => /^https?:/i.test(href)).flatMap((href) => URL.parse(href)?.host ?? [])
}

function accessFinding({ dialect }: Prober, tried: readonly Tried[]): Finding {
  const { consentAccess: profile } = dialect
  const accepted = MODELS.filter((model) => tried.some((one) => one.created && one.form.consentAccess === model))
  const suggested = accepted.includes(profile) ? profile : accepted[0]
  const result =
    accepted.length === 0 ? `no form of consent is accepted: ${reasonOf(tried)}` : `accepts ${accepted.join(' and ')}`
  return finding('dialect.consentAccess', { profile, suggested }, `the bank ${result}`.replace('the bank no', 'no'))
}

function ownerNameFinding({ dialect }: Prober, tried: readonly Tried[]): Finding {
  const { askOwnerName: profile } = dialect
  const [asking, without] = [true, false].map((requested) =>
    tried.find((one) => one.created !== undefined && one.form.askOwnerName === requested),
  )
  const rejected = tried.find(({ created, form, answer }) => !created && form.askOwnerName && isConclusive(answer))
  if (asking !== undefined) {
    return finding('dialect.askOwnerName', { profile, suggested: true }, "a consent to the owners' names is accepted")
  }
  const because = rejected === undefined ? 'no consent is accepted' : describeAnswer(rejected.answer)
  const suggested = rejected && without ? false : undefined
  return finding('dialect.askOwnerName', { profile, suggested }, `asking is answered with ${because}`)
}

async function userFinding(prober: Prober, tried: readonly Tried[]): Promise<Finding> {
  const { required: profile } = prober.bank.profile.userId
  const finds = (suggested: boolean | undefined, because: string) =>
    finding('userId.required', { profile, suggested }, because)
  const accepted = tried.find(({ created }) => created !== undefined)
  if (prober.options.userId === null) {
    const namesUser = tried.some(({ answer }) => answer.errors.some(isOfUser))
    return accepted === undefined
      ? finds(namesUser || undefined, `a consent without PSU-ID is answered with ${reasonOf(tried)}`)
      : finds(false, 'a consent without PSU-ID is accepted')
  }
  if (accepted === undefined) {
    return finds(undefined, 'no consent is accepted, with PSU-ID or without')
  }
  const without = await attempt(prober, accepted.form, { withoutUser: true })
  return without.created === undefined
    ? finds(
        isConclusive(without.answer) || undefined,
        `a consent without PSU-ID is answered with ${describeAnswer(without.answer)}`,
      )
    : finds(false, 'a consent without PSU-ID is accepted')
}

function isOfUser({ code, path, text }: ProbeAnswer['errors'][number]): boolean {
  return code === 'PSU_CREDENTIALS_INVALID' || /psu-id/i.test(`${path ?? ''} ${text ?? ''}`)
}

/** A bank that shortens the requested validity shows it when the consent is read. */
function validityFinding({ bank, today }: Prober, used: Prober, accepted: readonly Created[]): Finding {
  const { maxConsentValidityDays: profile } = bank.profile
  const { maxConsentValidityDays: requested } = used.bank.profile
  const until = accepted
    .map(({ validUntil }) => parseDay(String(validUntil ?? '').slice(0, 'YYYY-MM-DD'.length)))
    .find((day) => day !== undefined)
  const days = until === undefined ? undefined : today.until(until, { largestUnit: 'days' }).days
  const suggested = days ?? (accepted.length > 0 && requested < profile ? requested : undefined)
  const rejected = requested < profile ? `${profile} days are rejected; ` : ''
  const because = `${rejected}requested ${requested} days, it is valid until ${until ?? 'a day that no consent shows'}`
  return finding('maxConsentValidityDays', { profile, suggested }, because)
}

function frequencyFinding({ dialect }: Prober, used: Prober, accepted: readonly Created[]): Finding {
  const { frequencyPerDay: profile } = dialect
  const { frequencyPerDay: requested } = used.dialect
  const granted = accepted.map((one) => one.frequencyPerDay).find((value) => typeof value === 'number')
  const suggested = granted ?? (accepted.length > 0 && requested < profile ? requested : undefined)
  const rejected = requested < profile ? `${profile} are rejected; ` : ''
  const because = `${rejected}requested ${requested}, ${granted === undefined ? 'no consent shows it' : `a consent grants ${granted}`}`
  return finding('dialect.frequencyPerDay', { profile, suggested }, because)
}

function linkHostsFinding({ bank }: Prober, accepted: readonly Created[]): Finding {
  const known = new Set([...bank.linkHosts, new URL(bank.address).host])
  const hosts = [...new Set(accepted.flatMap((one) => one.hosts))]
  const missing = hosts.filter((host) => !known.has(host))
  return finding(
    '--link-host',
    { profile: [...bank.linkHosts], suggested: accepted.length === 0 ? undefined : [...bank.linkHosts, ...missing] },
    hosts.length === 0 ? 'links are relative' : `links point to ${hosts.join(', ')}`,
  )
}

function reasonOf(tried: readonly Tried[]): string {
  const [first] = tried
  return first === undefined ? 'nothing' : describeAnswer(first.answer)
}
