/** Serves the operations on banks. */
import { operations } from '../../contract/operations.ts'
import type { PartnerIdentity, Serve } from '../foundation/http/served-operation.ts'
import type { BankDirectory } from './directory.ts'
import { listBanks } from './list-banks.ts'
import { showBank } from './show-bank.ts'

export function serveBanks<Partner extends PartnerIdentity, Consent>(
  serve: Serve<Partner, Consent>,
  { banks }: { readonly banks: BankDirectory },
): void {
  serve(operations.listBanks, ({ params }) => listBanks(banks, params.countryCode))
  serve(operations.getBank, ({ params }) => showBank(banks, params.countryCode, params.bic))
}
