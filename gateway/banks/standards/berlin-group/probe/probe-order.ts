/** Probes which members an order may have, by orders that can never be carried out: each adds one member to the same one. */
import { parseJson } from '../../../../platform/parse-json.ts'
import { type Finding, finding } from '../../../connector/probe-report.ts'
import type { Dialect } from '../dialect.ts'
import { impossibleOrder } from './non-executable-order.ts'
import { creationHeaders, describeAnswer, isSameAnswer, type ProbeAnswer, type Prober } from './prober.ts'

type Body = Readonly<Record<string, unknown>>

/** What single members are compared with. */
export type OrderProbe = {
  readonly order: Body
  /** The answer to the order without further members. */
  readonly base: ProbeAnswer
  /** Whether a member that no bank has is rejected: only then does silence on another one say that there is one. */
  readonly isStrict: boolean
  /** Sends the order with further members; undefined where the bank does not mind them, else what it said. */
  objection(members: Body): Promise<string | undefined>
}

const STRANGE_MEMBER = { havnProbe: 'x' }
const END_TO_END_LENGTHS = [35, 31, 30, 16]
const MESSAGE_LENGTHS = [140, 70, 35, 20, 12]
/** As the standard's file has it, where a profile says nothing. */
const STANDARD_REFERENCE = { form: 'string', type: undefined } as const
/** Sound references: KID and OCR by modulus 10, the Finnish one by its own weights. */
const referenceIn = (countryCode: string): string => (countryCode === 'FI' ? '1232' : '1230')
const DEBTOR_TEXT_MEMBERS = ['debtorAccountStatementText', 'debtorReference'] as const

/** Finds the form in which the bank takes accounts, and what it says to an order that is right but for its debtor. */
export async function openOrderProbe(
  prober: Prober,
  product: string,
): Promise<{ readonly probe: OrderProbe; readonly findings: readonly Finding[]; readonly notes: string[] }> {
  const notes: string[] = []
  const send = async (body: Body) => await sendImpossible(prober, product, body, notes)
  const { accounts: profile } = prober.dialect
  const other = profile === 'bban' ? 'iban' : 'bban'
  const [usual, changed] = [orderIn(prober, profile), orderIn(prober, other)]
  const [asUsual, asChanged] = [await send(usual), await send(changed)]
  const isOtherForm = mentions(asUsual, 'creditorAccount') && !mentions(asChanged, 'creditorAccount')
  const suggested = isOtherForm ? other : mentions(asUsual, 'creditorAccount') ? undefined : profile
  const [order, base] = isOtherForm ? [changed, asChanged] : [usual, asUsual]
  const objection = async (members: Body) => objectionIn(await send({ ...order, ...members }), base, members)
  const because = `an order from an account that cannot exist is answered with ${describeAnswer(base)}`
  const isStrict = (await objection(STRANGE_MEMBER)) !== undefined
  return {
    notes,
    probe: { order, base, isStrict, objection },
    findings: [finding('dialect.accounts', { profile, suggested }, because)],
  }
}

/** What the answers suggest on the members of orders. */
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
  return impossibleOrder(bank.countryCode, accounts, today)
}

/** An order that is taken after all is deleted at once; nobody has signed it, and no account could pay it. */
export async function sendImpossible(
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
      `The bank took an order from an account that cannot exist; deleting it was answered ${describeAnswer(deleted)}.`,
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

/** Named in the errors though it was not before, or answered otherwise than the order without it. */
export function objectionIn(answer: ProbeAnswer, base: ProbeAnswer, members: Body): string | undefined {
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
      // A bank that ignores members it does not have is as silent on this one.
      const suggested = profile === null && !probe.isStrict ? undefined : length
      return finding(setting, { profile, suggested }, because || `takes endToEndIdentification of ${length}`)
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
  const taken = [single, list].filter((member) => objections[member] === undefined)
  const suggested = taken.includes(profile) ? profile : taken[0]
  const because = [single, list].map((member) => `${member}: ${objections[member] ?? 'taken'}`).join('; ')
  return finding('dialect.message.member', { profile, suggested }, because)
}

/** The receiver of these orders is at another bank. */
async function messageLengthFinding({ bank, dialect }: Prober, probe: OrderProbe): Promise<Finding> {
  const { maxUnstructuredRemittanceInfoLengthToOtherBanks: profile } = bank.profile.constraints
  const setting = 'constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks'
  const { member } = dialect.message
  let because = 'takes the longest message of the standard'
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

/** The standard's file has a text; many banks have an object, or a list of such. */
async function referenceFinding({ bank, dialect }: Prober, probe: OrderProbe): Promise<Finding> {
  const { form: profile, type } = dialect.reference ?? STANDARD_REFERENCE
  const text = referenceIn(bank.countryCode)
  const reference = { reference: text, ...(type === undefined ? {} : { referenceType: type }) }
  const bodies = {
    string: { remittanceInformationStructured: text },
    object: { remittanceInformationStructured: reference },
    array: { remittanceInformationStructuredArray: [reference] },
  }
  const told: string[] = []
  const taken: string[] = []
  for (const [form, members] of Object.entries(bodies)) {
    const objection = await probe.objection(members)
    told.push(`${form}: ${objection ?? 'taken'}`)
    if (objection === undefined) {
      taken.push(form)
    }
  }
  const suggested = taken.includes(profile) ? profile : taken[0]
  return finding('dialect.reference.form', { profile, suggested }, told.join('; '))
}

async function debtorTextFinding({ dialect }: Prober, probe: OrderProbe): Promise<Finding> {
  const { debtorReference: profile } = dialect
  const setting = 'dialect.debtorReference'
  const told: string[] = []
  for (const member of new Set([...(profile === null ? [] : [profile]), ...DEBTOR_TEXT_MEMBERS])) {
    const objection = await probe.objection({ [member]: 'x' })
    told.push(`${member}: ${objection ?? 'not rejected'}`)
    if (objection === undefined) {
      return finding(setting, { profile, suggested: probe.isStrict ? member : undefined }, told.join('; '))
    }
  }
  return finding(setting, { profile, suggested: null }, told.join('; '))
}

/** A member that products have or have not. */
async function memberFinding(probe: OrderProbe, setting: string, profile: boolean, members: Body): Promise<Finding> {
  const objection = await probe.objection(members)
  if (objection !== undefined) {
    return finding(setting, { profile, suggested: false }, objection)
  }
  return probe.isStrict
    ? finding(setting, { profile, suggested: true }, 'taken, while unknown members are rejected')
    : finding(setting, { profile, suggested: undefined }, 'not rejected; but the bank ignores unknown members')
}
