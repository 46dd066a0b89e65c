/** Routes of the operations on banks. */

import type { Bank as BankShown } from '../../../contract/banks.ts'
import { operations } from '../../../contract/operations.ts'
import { DOMESTIC_RAILS } from '../../../contract/payments/domestic-payment.ts'
import { debtorReferenceMax } from '../../countries/character-sets.ts'
import { countryRules } from '../../countries/served-countries.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { PartnerIdentity, Serve } from '../../platform/http/operations/served-operation.ts'
import type { Bank, BankStatus } from '../connector/bank.ts'
import type { BankDirectory } from './bank-directory.ts'

export function serveBanks<Partner extends PartnerIdentity, Consent>(
  serve: Serve<Partner, Consent>,
  { banks }: { readonly banks: BankDirectory },
): void {
  serve(operations.listBanks, ({ params }) => listBanks(banks, params.countryCode))
  serve(operations.getBank, ({ params }) => getBankOfCountry(banks, params.countryCode, params.bic))
}

/** A bank of a country by its BIC. Throws `not-found`. */
export async function getBankOfCountry(banks: BankDirectory, countryCode: string, bic: string): Promise<BankShown> {
  const bank = await banks.find(bic)
  if (bank?.countryCode !== countryCode.toUpperCase()) {
    throw apiError('not-found', 'There is no bank with this BIC in this country')
  }
  return toBankResponse(bank, await banks.statusOf(bank))
}

/** Every limit that orders are validated against, so that a partner's software can validate them first. */
function toConstraintsResponse({ countryCode, profile }: Bank): BankShown['constraints'] {
  const { constraints, crossBorder, rails, amountMax } = profile
  const currency = countryRules(countryCode)?.currency ?? ''
  return {
    ...constraints,
    maxCrossBorderRemittanceInfoLength: crossBorder?.messageMax ?? null,
    maxDebtorReferenceLength: debtorReferenceMax(countryCode),
    maxAmounts: Object.entries(amountMax).map(([limited, amount]) => ({ amount, currency: limited })),
    rails: DOMESTIC_RAILS.flatMap((rail) => {
      const terms = rails[rail]
      return terms === undefined
        ? []
        : {
            rail,
            maxAmount: terms.amountMax === null ? null : { amount: terms.amountMax, currency },
            maxRecipientNameLength: terms.recipientNameMax ?? constraints.maxInformationFieldLength,
            maxUnstructuredRemittanceInfoLength: terms.messageMax ?? constraints.maxUnstructuredRemittanceInfoLength,
          }
    }),
  }
}

/** A bank as the public API shows it. */
function toBankResponse(bank: Bank, status: BankStatus): BankShown {
  const { profile } = bank
  return {
    bic: bank.bic,
    name: bank.name,
    countryCode: bank.countryCode,
    branches: profile.branches.map(({ name, branch }) => ({ name, branch })),
    supportedProducts: [...profile.products],
    constraints: toConstraintsResponse(bank),
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

/** The banks sorted by name; empty where the gateway serves none. */
export async function listBanks(banks: BankDirectory, countryCode: string): Promise<BankShown[]> {
  const found = await banks.inCountry(countryCode.toUpperCase())
  return await Promise.all(found.map(async (bank) => toBankResponse(bank, await banks.statusOf(bank))))
}
