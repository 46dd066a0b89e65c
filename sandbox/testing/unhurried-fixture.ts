/** The banks of the demo fixture, which settle a payment later than a test takes to look at it on a busy machine. */
import type { BankFixture } from '../bank/fixture.ts'
import { loadDemoFixture } from '../bank/load-fixture.ts'

/** Less than the minute by which tests move the clock to have payments settled. */
const SETTLEMENT_SECONDS = 50

export function unhurriedFixture(): BankFixture {
  const fixture = loadDemoFixture()
  const banks = fixture.banks.map((bank) => ({
    ...bank,
    settlement: { ...bank.settlement, sameDaySeconds: SETTLEMENT_SECONDS },
  }))
  return { ...fixture, banks }
}
