/** Probes which fields orders have, in which form, and how long their texts may be. */
import { type Finding, finding } from '../../../connector/probe-report.ts'
import type { Dialect } from '../dialect.ts'
import { isValidated, type OrderBody, type OrderTrials, probedCountry, type Trial } from './order-trials.ts'
import type { Prober } from './prober.ts'

const END_TO_END_LENGTHS = [35, 31, 30, 16]
const MESSAGE_LENGTHS = [140, 70, 35, 20, 12]
/** Longer than any bank accepts. */
const TOO_LONG = 500
/** The default, as in the standard's OpenAPI file. */
const STANDARD_FORM = 'string'
const COMMON_REFERENCE_TYPE = 'SCOR'
const DEBTOR_TEXT_MEMBERS = ['debtorAccountStatementText', 'debtorReference'] as const
const SINGLE = 'remittanceInformationUnstructured'
const LIST = 'remittanceInformationUnstructuredArray'

export const SAMPLE_ADDRESS = {
  streetName: 'Storgata',
  buildingNumber: '1',
  townName: 'Oslo',
  postCode: '0155',
  country: 'NO',
}

/** The findings about the fields of orders. */
export async function probeOrderFields(prober: Prober, trials: OrderTrials): Promise<readonly Finding[]> {
  const { dialect } = prober
  const message = await messageFinding(prober, trials)
  return [
    await endToEndFinding(prober, trials),
    message,
    await messageLengthFinding(prober, trials, message.suggested ?? message.profile),
    ...(await referenceFindings(prober, trials)),
    await debtorTextFinding(prober, trials),
    await memberFinding(trials, 'dialect.purposeCode', dialect.purposeCode, { purposeCode: 'SUPP' }),
    await memberFinding(trials, 'dialect.creditorAddress', dialect.creditorAddress !== undefined, {
      creditorAddress: SAMPLE_ADDRESS,
    }),
  ]
}

/** A structured reference in each form: a string in the standard's OpenAPI file; an object or a list at many banks. */
export function referenceForms(
  countryCode: string,
  { reference: settings }: Dialect,
): Readonly<Record<'string' | 'object' | 'array', OrderBody>> {
  const text = probedCountry(countryCode).probeNumbers.exampleReference
  const reference = { reference: text, referenceType: settings?.type ?? COMMON_REFERENCE_TYPE }
  return {
    string: { remittanceInformationStructured: text },
    object: { remittanceInformationStructured: reference },
    array: { remittanceInformationStructuredArray: [reference] },
  }
}

/** A length shows something only where a longer text is rejected. */
async function longestAccepted(
  trials: OrderTrials,
  lengths: readonly number[],
  field: (length: number) => OrderBody,
): Promise<{ readonly length: number | null | undefined; readonly because: string }> {
  const control = await trials.attempt(field(TOO_LONG))
  if (control.verdict !== 'rejected') {
    const isKnown = trials.isStrict && control.verdict === 'accepted'
    const because = `not even ${TOO_LONG} characters are rejected: ${control.because}`
    return { length: isKnown ? lengths[0] : undefined, because }
  }
  let because = `of ${TOO_LONG} characters: ${control.because}`
  for (const length of lengths) {
    const trial = await trials.attempt(field(length))
    if (trial.verdict !== 'rejected') {
      return { length: trial.verdict === 'accepted' ? length : undefined, because }
    }
    because = `of ${length} characters: ${trial.because}`
  }
  return { length: null, because }
}

async function endToEndFinding({ dialect }: Prober, trials: OrderTrials): Promise<Finding> {
  const { endToEndIdMax: profile } = dialect
  const { length, because } = await longestAccepted(trials, END_TO_END_LENGTHS, (characters) => ({
    endToEndIdentification: 'H'.repeat(characters),
  }))
  return finding('dialect.endToEndIdMax', { profile, suggested: length }, because)
}

async function messageFinding({ dialect }: Prober, trials: OrderTrials): Promise<Finding> {
  const { member: profile } = dialect.message
  const choice = await choose(trials, profile, { [SINGLE]: { [SINGLE]: 'x' }, [LIST]: { [LIST]: ['x'] } })
  return finding('dialect.message.member', { profile, suggested: choice.suggested }, choice.because)
}

/** The creditor of these orders is at another bank. */
async function messageLengthFinding({ bank }: Prober, trials: OrderTrials, member: string): Promise<Finding> {
  const { maxUnstructuredRemittanceInfoLengthToOtherBanks: profile } = bank.profile.constraints
  const setting = 'constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks'
  const lengths = [...new Set([...MESSAGE_LENGTHS, profile])].toSorted((one, next) => next - one)
  const { length, because } = await longestAccepted(trials, lengths, (characters) => {
    const text = 'x'.repeat(characters)
    return { [member]: member === LIST ? [text] : text }
  })
  // Of a list, this is the length of one item.
  const suggested = member === LIST ? undefined : (length ?? undefined)
  return finding(setting, { profile, suggested }, because)
}

async function referenceFindings({ bank, dialect }: Prober, trials: OrderTrials): Promise<readonly Finding[]> {
  const { form: profile, type } = dialect.reference ?? { form: STANDARD_FORM }
  const { suggested, because } = await choose(trials, profile, referenceForms(bank.countryCode, dialect))
  const form = finding('dialect.reference.form', { profile, suggested }, because)
  if (suggested === undefined || suggested === STANDARD_FORM) {
    return [form]
  }
  const used = type ?? COMMON_REFERENCE_TYPE
  return [
    form,
    finding('dialect.reference.type', { profile: type ?? 'none', suggested: used }, `accepted with the type ${used}`),
  ]
}

/** One of several forms. Where none is rejected, the bank must have validated the order for the profile's to be right. */
async function choose<Form extends string>(
  trials: OrderTrials,
  profile: Form,
  forms: Readonly<Record<Form, OrderBody>>,
): Promise<{ readonly suggested: Form | undefined; readonly because: string }> {
  const tried: (readonly [Form, Trial])[] = []
  for (const form of Object.keys(forms) as Form[]) {
    tried.push([form, await trials.attempt(forms[form])])
  }
  const accepted = tried.filter(([, { verdict }]) => verdict === 'accepted').map(([form]) => form)
  const isShown = trials.isStrict || tried.some(([, { verdict }]) => verdict === 'rejected')
  const because = tried
    .map(([form, trial]) => `${form}: ${trial.verdict === 'accepted' ? 'accepted' : trial.because}`)
    .join('; ')
  const suggested = accepted.includes(profile) ? profile : accepted[0]
  return isShown && (accepted.length === 1 || isValidated(trials.base))
    ? { suggested, because }
    : { suggested: undefined, because: `${because}; the bank does not show which it reads` }
}

async function debtorTextFinding({ dialect }: Prober, trials: OrderTrials): Promise<Finding> {
  const { debtorReference: profile } = dialect
  const setting = 'dialect.debtorReference'
  const results: string[] = []
  let isClear = true
  for (const member of new Set([...(profile === null ? [] : [profile]), ...DEBTOR_TEXT_MEMBERS])) {
    const trial = await trials.attempt({ [member]: 'x' })
    results.push(`${member}: ${trial.verdict === 'accepted' ? 'not rejected' : trial.because}`)
    if (trial.verdict === 'accepted') {
      return finding(setting, { profile, suggested: trials.isStrict ? member : undefined }, results.join('; '))
    }
    isClear &&= trial.verdict === 'rejected'
  }
  return finding(setting, { profile, suggested: isClear ? null : undefined }, results.join('; '))
}

/** An optional field of products. */
async function memberFinding(
  trials: OrderTrials,
  setting: string,
  profile: boolean,
  fields: OrderBody,
): Promise<Finding> {
  const { verdict, because } = await trials.attempt(fields)
  if (verdict !== 'accepted') {
    return finding(setting, { profile, suggested: verdict === 'rejected' ? false : undefined }, because)
  }
  return trials.isStrict
    ? finding(setting, { profile, suggested: true }, 'accepted, while unknown fields are rejected')
    : finding(setting, { profile, suggested: undefined }, 'not rejected, but the bank ignores unknown fields')
}
