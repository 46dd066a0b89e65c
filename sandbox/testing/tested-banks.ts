/** Chooses the sandbox banks at which a test runs that takes long at all of them. */

/** A bank of each country; together they have every way in which users sign, and most forms of answers. */
const REPRESENTATIVES = ['HAVBNO22', 'NORDSESS', 'ORESDK22', 'KATTDK22', 'PAIJFIHH']
const COUNT = Number(process.env['HAVN_TESTED_BANKS'] ?? REPRESENTATIVES.length)

const isEveryBankTested = COUNT > REPRESENTATIVES.length

/** Whether a test runs at this bank: at the representative ones, at all when `HAVN_TESTED_BANKS` is more than those. */
export function isTestedBank(bic: string): boolean {
  return isTestedAmong(REPRESENTATIVES, bic)
}

/** The same for a test with representatives of its own, which differ in what it tests. */
export function isTestedAmong(representatives: readonly string[], bic: string): boolean {
  return isEveryBankTested || representatives.includes(bic)
}

/** One bank of each kind; in long runs the others of these kinds, too. */
export function banksOfEachKind<Bank>(kinds: readonly Bank[], others: readonly Bank[]): readonly Bank[] {
  return isEveryBankTested ? [...kinds, ...others] : kinds
}
