/** Builds orders that can never be executed, because the debtor account has invalid check digits. */
import type { Dialect } from '../dialect.ts'

type Account = { readonly bban: string; readonly iban: string }

/** For each country an account that cannot exist, and the example account of the IBAN registry. */
const accountsByCountry: Readonly<Record<string, { readonly impossible: Account; readonly example: Account }>> = {
  NO: {
    impossible: { bban: '86011117948', iban: 'NO0086011117948' },
    example: { bban: '86011117947', iban: 'NO9386011117947' },
  },
  SE: {
    impossible: { bban: '58398257467', iban: 'SE0050000000058398257467' },
    example: { bban: '58398257466', iban: 'SE4550000000058398257466' },
  },
  DK: {
    impossible: { bban: '00000000000000', iban: 'DK0000000000000000' },
    example: { bban: '00400440116243', iban: 'DK5000400440116243' },
  },
  FI: {
    impossible: { bban: '12345600000784', iban: 'FI0012345600000784' },
    example: { bban: '12345600000785', iban: 'FI2112345600000785' },
  },
}

const currencyByCountry: Readonly<Record<string, string>> = { NO: 'NOK', SE: 'SEK', DK: 'DKK', FI: 'EUR' }
const DAYS_AHEAD = 7

/** An order with only the fields that every bank requires. */
export function nonExecutableOrder(
  countryCode: string,
  accounts: Dialect['accounts'],
  today: Temporal.PlainDate,
): Record<string, unknown> {
  const found = accountsByCountry[countryCode]
  const currency = currencyByCountry[countryCode]
  if (found === undefined || currency === undefined) {
    throw new Error(`Banks of ${countryCode} cannot be probed: no account there is known to be impossible`)
  }
  return {
    debtorAccount: { [accounts]: found.impossible[accounts] },
    ...nonExecutableTransaction(found.example[accounts], accounts, currency),
    requestedExecutionDate: today.add({ days: DAYS_AHEAD }).toString(),
  }
}

/** The same as a bulk of one payment. */
export function nonExecutableBulk(order: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { debtorAccount, requestedExecutionDate, ...payment } = order
  return { debtorAccount, requestedExecutionDate, payments: [payment] }
}

function nonExecutableTransaction(
  number: string,
  accounts: Dialect['accounts'],
  currency: string,
): Record<string, unknown> {
  return {
    instructedAmount: { currency, amount: '1.00' },
    creditorAccount: { [accounts]: number },
    creditorName: 'Havn probe',
  }
}
