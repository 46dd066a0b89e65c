/** Probes which fields an order may have, with non-executable orders that each add one field to the same base order. */
import { parseJson } from '../../../../platform/parse-json.ts'
import { type Finding, finding } from '../../../connector/probe-report.ts'
import type { Dialect } from '../dialect.ts'
import { nonExecutableOrder, probedCountry } from './non-executable-order.ts'
import { creationHeaders, describeAnswer, isSameAnswer, type ProbeAnswer, type Prober } from './prober.ts'

type Body = Readonly<Record<string, unknown>>

/** The base order for comparisons. */
export type OrderProbe = {
  readonly order: Body
  /** The answer to the base order. */
  readonly base: ProbeAnswer
  /** Whether an unknown field is rejected: only then does the acceptance of a field prove that the bank has it. */
  readonly isStrict: boolean
  /** Sends the order with further fields; undefined where the bank accepts them, else its error. */
  objection(members: Body): Promise<string | undefined>
}

const STRANGE_MEMBER = { havnProbe: 'x' }
const END_TO_END_LENGTHS = [35, 31, 30, 16]
const MESSAGE_LENGTHS = [140, 70, 35, 20, 12]
/** The default, as in the standard's OpenAPI file. */
const STANDARD_REFERENCE = { form: 'string', type: undefined } as const
const DEBTOR_TEXT_MEMBERS = ['debtorAccountStatementText', 'debtorReference'] as const

/** Finds the account format that the bank accepts, and its answer to an order that is valid except for its debtor. */
export async function openOrderProbe(
  prober: Prober,
  product: string,
): Promise<{ readonly probe: OrderProbe; readonly findings: readonly Finding[]; readonly notes: string[] }> {
  const notes: string[] = []
  const send = async (body: Body) => await sendNonExecutableOrder(prober, product, body, notes)
  const { accounts: profile } = prober.dialect
  const other = profile === 'bban' ? 'iban' : 'bban'
  const [usual, changed] = [orderIn(prober, profile), orderIn(prober, other)]
  const [asUsual, asChanged] = [await send(usual), await send(changed)]
  const isOtherForm = mentions(asUsual, 'creditorAccount') && !mentions(asChanged, 'creditorAccount')
  const suggested = isOtherForm ? other : mentions(asUsual, 'creditorAccount') ? undefined : profile
  const [order, base] = isOtherForm ? [changed, asChanged] : [usual, asUsual]
  const objection = async (members: Body) => rejectionIn(await send({ ...order, ...members }), base, members)
  const because = `an order from an account that cannot exist is answered with ${describeAnswer(base)}`
  const isStrict = (await objection(STRANGE_MEMBER)) !== undefined
  return {
    notes,
    probe: { order, base, isStrict, objection },
    findings: [finding('dialect.accounts', { profile, suggested }, because)],
  }
}

/** The findings about the fields of orders. */
export async function probeMembers(prober: Prober, probe: OrderProbe): Promise<readonly Finding[]> {
  return [
    await endToEndFinding(prober, probe),
    await messageFinding(prober, probe),
    await messageLengthFinding(prober, probe),
    await referenceFinding(prober, probe),
    await debtorTextFinding(prober, probe),
    await memberFinding(probe, 'dialect.purposeCode', prober.dialect.purposeCode, { purposeCode: 'SUPP' }),
    await memberFinding(probe, 'dialect.creditorAddress', prober.dialect.creditorAddress !== undefined, {
      creditorAddress: {
        streetName: 'Storgata',
        buildingNumber: '1',
        townName: 'Oslo',
        postCode: '0155',
        country: 'NO',
      },
    }),
  ]
}

function orderIn({ bank, today }: Prober, accounts: Dialect['accounts']): Body {
  return nonExecutableOrder(bank.countryCode, accounts, today)
}

/** An order that is accepted nevertheless is cancelled at once; it is unsigned and its account cannot exist. */
export async function sendNonExecutableOrder(
  prober: Prober,
  product: string,
  body: Body,
  notes: string[],
  service: 'payments' | 'bulk-payments' = 'payments',
): Promise<ProbeAnswer> {
  const headers = creationHeaders(prober.line)
  const answer = await prober.ask({ method: 'POST', path: `/${service}/${product}`, headers, body })
  const id = answer.status === 201 ? paymentIdIn(answer.body) : undefined
  if (id !== undefined) {
    const path = `/${service}/${product}/${encodeURIComponent(id)}`
    const deleted = await prober.ask({ method: 'DELETE', path })
    notes.push(
      `The bank accepted an order from an account that cannot exist; its cancellation was answered with ${describeAnswer(deleted)}.`,
    )
  }
  return answer
}

function paymentIdIn(body: string): string | undefined {
  try {
    const { paymentId } = Object(parseJson(body))
    return typeof paymentId === 'string' ? paymentId : undefined
  } catch {
    return undefined
  }
}

function mentions({ errors }: ProbeAnswer, name: string): boolean {
  return errors.some(({ path, text }) => `${path ?? ''} ${text ?? ''}`.toLowerCase().includes(name.toLowerCase()))
}

/** Named in the errors, unlike before, or answered differently from the base order. */
export function rejectionIn(answer: ProbeAnswer, base: ProbeAnswer, members: Body): string | undefined {
  const known = new Set(base.errors.map(textOf))
  const decisive = answer.errors.find((error) => !known.has(textOf(error)))
  const isNamed = Object.keys(members).some((name) => mentions(answer, name) && !mentions(base, name))
  return isNamed || !isSameAnswer(answer, base) ? describeAnswer(answer, decisive) : undefined
}

function textOf({ code, path, text }: ProbeAnswer['errors'][number]): string {
  return `${code} ${path ?? ''} ${text ?? ''}`
}

async function endToEndFinding({ dialect }: Prober, probe: OrderProbe): Promise<Finding> {
  const { endToEndIdMax: profile } = dialect
  const setting = 'dialect.endToEndIdMax'
  let because = ''
  for (const length of END_TO_END_LENGTHS) {
    const objection = await probe.objection({ endToEndIdentification: 'H'.repeat(length) })
    if (objection === undefined) {
      // A bank that ignores unknown fields accepts this one, too.
      const suggested = profile === null && !probe.isStrict ? undefined : length
      return finding(setting, { profile, suggested }, because || `accepts endToEndIdentification of ${length}`)
    }
    because = `of more than ${length - 1} characters: ${objection}`
  }
  return finding(setting, { profile, suggested: null }, because)
}

async function messageFinding({ dialect }: Prober, probe: OrderProbe): Promise<Finding> {
  const { member: profile } = dialect.message
  const [single, list] = ['remittanceInformationUnstructured', 'remittanceInformationUnstructuredArray'] as const
  const objections = {
    [single]: await probe.objection({ [single]: 'x' }),
    [list]: await probe.objection({ [list]: ['x'] }),
  }
  const accepted = [single, list].filter((member) => objections[member] === undefined)
  const suggested = accepted.includes(profile) ? profile : accepted[0]
  const because = [single, list].map((member) => `${member}: ${objections[member] ?? 'accepted'}`).join('; ')
  return finding('dialect.message.member', { profile, suggested }, because)
}

/** The creditor of these orders is at another bank. */
async function messageLengthFinding({ bank, dialect }: Prober, probe: OrderProbe): Promise<Finding> {
  const { maxUnstructuredRemittanceInfoLengthToOtherBanks: profile } = bank.profile.constraints
  const setting = 'constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks'
  const { member } = dialect.message
  let because = 'accepts the longest message of the standard'
  for (const length of [...new Set([...MESSAGE_LENGTHS, profile])].toSorted((one, next) => next - one)) {
    const text = 'x'.repeat(length)
    const objection = await probe.objection({ [member]: member.endsWith('Array') ? [text] : text })
    if (objection === undefined) {
      return finding(setting, { profile, suggested: member.endsWith('Array') ? undefined : length }, because)
    }
    because = `of ${length} characters: ${objection}`
  }
  return finding(setting, { profile, suggested: undefined }, because)
}

/** A string in the standard's OpenAPI file; an object or a list of objects at many banks. */
async function referenceFinding({ bank, dialect }: Prober, probe: OrderProbe): Promise<Finding> {
  const { form: profile, type } = dialect.reference ?? STANDARD_REFERENCE
  const text = probedCountry(bank.countryCode).probeNumbers.exampleReference
  const reference = { reference: text, ...(type === undefined ? {} : { referenceType: type }) }
  const bodies = {
    string: { remittanceInformationStructured: text },
    object: { remittanceInformationStructured: reference },
    array: { remittanceInformationStructuredArray: [reference] },
  }
  const results: string[] = []
  const accepted: string[] = []
  for (const [form, members] of Object.entries(bodies)) {
    const objection = await probe.objection(members)
    results.push(`${form}: ${objection ?? 'accepted'}`)
    if (objection === undefined) {
      accepted.push(form)
    }
  }
  const suggested = accepted.includes(profile) ? profile : accepted[0]
  return finding('dialect.reference.form', { profile, suggested }, results.join('; '))
}

async function debtorTextFinding({ dialect }: Prober, probe: OrderProbe): Promise<Finding> {
  const { debtorReference: profile } = dialect
  const setting = 'dialect.debtorReference'
  const results: string[] = []
  for (const member of new Set([...(profile === null ? [] : [profile]), ...DEBTOR_TEXT_MEMBERS])) {
    const objection = await probe.objection({ [member]: 'x' })
    results.push(`${member}: ${objection ?? 'not rejected'}`)
    if (objection === undefined) {
      return finding(setting, { profile, suggested: probe.isStrict ? member : undefined }, results.join('; '))
    }
  }
  return finding(setting, { profile, suggested: null }, results.join('; '))
}

/** An optional field of products. */
async function memberFinding(probe: OrderProbe, setting: string, profile: boolean, members: Body): Promise<Finding> {
  const objection = await probe.objection(members)
  if (objection !== undefined) {
    return finding(setting, { profile, suggested: false }, objection)
  }
  return probe.isStrict
    ? finding(setting, { profile, suggested: true }, 'accepted, while unknown fields are rejected')
    : finding(setting, { profile, suggested: undefined }, 'not rejected, but the bank ignores unknown fields')
}
