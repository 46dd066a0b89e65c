/** Probes the format of bulks with bulks that can never be executed, because the debtor account cannot exist. */
import { type Finding, finding } from '../../../connector/probe-report.ts'
import { createAndDelete } from './delete-resource.ts'
import { nonExecutableBulk } from './non-executable-order.ts'
import { mentions, type OrderBody, openOrderTrials } from './order-trials.ts'
import { describeAnswer, type Prober } from './prober.ts'

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
