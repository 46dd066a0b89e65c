/** Lists the banks of a country to partners. */
import type { Bank as BankShown } from '../../../contract/banks.ts'
import type { BankDirectory } from './bank-directory.ts'
import { toBankResponse } from './get-bank.ts'

/** The banks sorted by name; empty where the gateway serves none. */
export async function listBanks(banks: BankDirectory, countryCode: string): Promise<BankShown[]> {
  const found = await banks.inCountry(countryCode.toUpperCase())
  return await Promise.all(found.map(async (bank) => toBankResponse(bank, await banks.statusOf(bank))))
}
