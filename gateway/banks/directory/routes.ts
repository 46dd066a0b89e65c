/** Routes of the operations on banks. */
import { operations } from '../../../contract/operations.ts'
import type { PartnerIdentity, Serve } from '../../platform/http/operations/served-operation.ts'
import type { BankDirectory } from './bank-directory.ts'
import { getBankOfCountry, listBanks } from './get-bank.ts'

export function serveBanks<Partner extends PartnerIdentity, Consent>(
  serve: Serve<Partner, Consent>,
  { banks }: { readonly banks: BankDirectory },
): void {
  serve(operations.listBanks, ({ params }) => listBanks(banks, params.countryCode))
  serve(operations.getBank, ({ params }) => getBankOfCountry(banks, params.countryCode, params.bic))
}
