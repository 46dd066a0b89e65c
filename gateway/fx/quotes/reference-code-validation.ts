/** The rule on the bank that an exchange is paid from: its payments must be able to carry the reference code. */
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import type { Problem } from '../../platform/http/errors/api-error.ts'
import type { FxContext } from '../fx-context.ts'
import { whyReferenceDoesNotFit } from './reference-code.ts'

/** A BIC of eleven characters names a branch of the bank of the first eight (ISO 9362). */
const HEAD_OFFICE_BIC_LENGTH = 8

/** Of a bank that is not in the directory nothing is known: its customers pay from outside. */
export async function referenceProblems(
  { banks }: Pick<FxContext, 'banks'>,
  { from }: ExchangeOrder,
): Promise<readonly Problem[]> {
  const bic = from.bic.toUpperCase()
  const bank = (await banks.find(bic)) ?? (await banks.find(bic.slice(0, HEAD_OFFICE_BIC_LENGTH)))
  const reason = bank && whyReferenceDoesNotFit(bank)
  return reason === undefined ? [] : [{ code: 'InvalidRemittanceInformation', path: '.from.bic', reason }]
}
