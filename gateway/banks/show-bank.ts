/** Shows one bank to partners. */
import type { Bank as BankShown } from '../../contract/banks.ts'
import { refuse } from '../foundation/http/refusal.ts'
import { type Bank, type BankStatus, DOMESTIC_RAILS } from './bank.ts'
import type { BankDirectory } from './directory.ts'

/** A bank of a country by its BIC. */
export async function showBank(banks: BankDirectory, countryCode: string, bic: string): Promise<BankShown> {
  const bank = await banks.find(bic.toUpperCase())
  if (bank?.countryCode !== countryCode.toUpperCase()) {
    throw refuse('not-found', 'There is no bank with this BIC in this country')
  }
  return bankShown(bank, await banks.statusOf(bank))
}

/** A bank as the interface shows it. */
export function bankShown(bank: Bank, status: BankStatus): BankShown {
  const { profile } = bank
  return {
    bic: bank.bic,
    name: bank.name,
    countryCode: bank.countryCode,
    branches: profile.branches.map(({ name, branch }) => ({ name, branch })),
    supportedProducts: [...profile.products],
    constraints: { ...profile.constraints },
    scaMethods: [...profile.scaMethods],
    maxConsentValidityDays: profile.maxConsentValidityDays,
    userId: { ...profile.userId },
    dueDateMaxDays: profile.dueDateMaxDays,
    cutOffTime: profile.rails.account.cutOff.localTime,
    cutOffs: DOMESTIC_RAILS.flatMap((rail) => {
      const { cutOff } = profile.rails[rail] ?? {}
      return cutOff === undefined ? [] : [{ rail, ...cutOff }]
    }),
    status,
  }
}
