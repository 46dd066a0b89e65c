/** Probes what bulks look like, by bulks that can never be carried out: the account that would pay cannot exist. */
import { type Finding, finding } from '../../../connector/probe-report.ts'
import { impossibleBulk } from './non-executable-order.ts'
import { objectionIn, sendImpossible } from './probe-order.ts'
import { describeAnswer, type Prober } from './prober.ts'

/** Whether the bank takes an id of ours with a bulk, which the standard's file has in answers only. */
export async function probeBulk(
  prober: Prober,
  product: string,
  order: Readonly<Record<string, unknown>>,
  notes: string[],
): Promise<readonly Finding[]> {
  const bulk = impossibleBulk(order)
  const send = (body: object) => sendImpossible(prober, product, { ...body }, notes, 'bulk-payments')
  const base = await send(bulk)
  const members = { paymentInformationId: 'HAVN-PROBE-1' }
  const objection = objectionIn(await send({ ...bulk, ...members }), base, members)
  const profile = prober.dialect.paymentInformationId === true
  const strange = { havnProbe: 'x' }
  const isStrict = objectionIn(await send({ ...bulk, ...strange }), base, strange) !== undefined
  const finds = (suggested: boolean | undefined, because: string) =>
    finding('dialect.paymentInformationId', { profile, suggested }, because)
  const isDemanded = base.errors.some(({ path, text }) => `${path} ${text}`.includes('paymentInformationId'))
  if (isDemanded) {
    return [finds(true, `a bulk without it is answered with ${describeAnswer(base)}`)]
  }
  if (objection !== undefined) {
    return [finds(false, objection)]
  }
  return [finds(isStrict ? true : undefined, isStrict ? 'taken, while unknown members are rejected' : 'not rejected')]
}
