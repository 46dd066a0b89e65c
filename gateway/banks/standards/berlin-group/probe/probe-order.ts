/** Probes how orders name accounts, which order further fields are compared with, and the format of bulks. */
import { type Finding, finding } from '../../../connector/probe-report.ts'
import type { Dialect } from '../dialect.ts'
import { createAndDelete } from './delete-resource.ts'
import {
  compareAnswers,
  isValidated,
  mentions,
  nonExecutableBulk,
  nonExecutableOrder,
  type OrderBody,
  type OrderTrials,
  openOrderTrials,
} from './order-trials.ts'
import { referenceForms, SAMPLE_ADDRESS } from './probe-order-fields.ts'
import { describeAnswer, type ProbeAnswer, type Prober } from './prober.ts'

/** Finds the account format that the bank accepts, and its answer to an order that is valid except for its debtor. */
export async function probeAccounts(
  prober: Prober,
  path: string,
): Promise<{ readonly trials: OrderTrials; readonly findings: readonly Finding[] }> {
  const { accounts: profile } = prober.dialect
  const other = profile === 'bban' ? 'iban' : 'bban'
  const [usual, changed] = [orderIn(prober, profile), orderIn(prober, other)]
  const asUsual = await createAndDelete(prober, path, usual)
  const asChanged = await createAndDelete(prober, path, changed)
  const isOther = rejectsAccounts(asUsual) && !rejectsAccounts(asChanged)
  const [order, base] = await withRequiredFields(prober, path, isOther ? [changed, asChanged] : [usual, asUsual])
  const isKnown = isOther || (!rejectsAccounts(asUsual) && (isValidated(base) || rejectsAccounts(asChanged)))
  const suggested = isKnown ? (isOther ? other : profile) : undefined
  const because = `an order from an account that cannot exist is answered with ${describeAnswer(base)}`
  return {
    trials: await openOrderTrials(prober, path, order, base),
    findings: [finding('dialect.accounts', { profile, suggested }, because)],
  }
}

/** The creditor account of these orders is valid: only its form can be wrong. */
function rejectsAccounts(answer: ProbeAnswer): boolean {
  return mentions(answer, 'creditorAccount')
}

function orderIn({ bank, today }: Prober, accounts: Dialect['accounts']): OrderBody {
  return nonExecutableOrder(bank.countryCode, accounts, today)
}

/** Adds what the bank misses in the order, as far as that stops its complaint, and leaves out a day that it rejects. */
async function withRequiredFields(
  prober: Prober,
  path: string,
  [order, base]: readonly [OrderBody, ProbeAnswer],
): Promise<readonly [OrderBody, ProbeAnswer]> {
  const { requestedExecutionDate: day, ...undated } = order
  if (day !== undefined && mentions(base, 'requestedExecutionDate')) {
    const answer = await createAndDelete(prober, path, undated)
    if (!mentions(answer, 'requestedExecutionDate')) {
      return await withRequiredFields(prober, path, [undated, answer])
    }
  }
  for (const fields of requirableFields(prober)) {
    if (Object.keys(fields).some((name) => !Object.hasOwn(order, name) && mentions(base, name))) {
      const answer = await createAndDelete(prober, path, { ...order, ...fields })
      if (compareAnswers(answer, { base, fields, isStrict: false }).verdict === 'accepted') {
        return await withRequiredFields(prober, path, [{ ...order, ...fields }, answer])
      }
    }
  }
  return [order, base]
}

function requirableFields({ bank, dialect }: Prober): readonly OrderBody[] {
  return [
    { endToEndIdentification: 'HAVN-PROBE-0001' },
    { remittanceInformationUnstructured: 'x' },
    { remittanceInformationUnstructuredArray: ['x'] },
    ...Object.values(referenceForms(bank.countryCode, dialect)),
    { purposeCode: 'SUPP' },
    { creditorAddress: SAMPLE_ADDRESS },
  ]
}

const FIELD = 'paymentInformationId'

/** Whether the bank accepts our id of a bulk, which the standard's OpenAPI file has only in answers. */
export async function probeBulk(prober: Prober, product: string, order: OrderBody): Promise<readonly Finding[]> {
  const path = `/bulk-payments/${product}`
  const bulk = nonExecutableBulk(order)
  const base = await createAndDelete(prober, path, bulk)
  const profile = prober.dialect.paymentInformationId === true
  const finds = (suggested: boolean | undefined, because: string) =>
    finding(`dialect.${FIELD}`, { profile, suggested }, because)
  const trials = await openOrderTrials(prober, path, bulk, base)
  const { verdict, because } = await trials.attempt({ [FIELD]: 'HAVN-PROBE-1' })
  if (verdict !== 'accepted') {
    return [finds(verdict === 'rejected' ? false : undefined, because)]
  }
  if (mentions(base, FIELD)) {
    return [finds(true, `a bulk without it is answered with ${describeAnswer(base)}`)]
  }
  const { isStrict } = trials
  return [finds(isStrict ? true : undefined, isStrict ? 'accepted, while unknown fields are rejected' : 'not rejected')]
}
