/** The banks of the demo fixture, which settle a payment later than a test takes to look at it on a busy machine. */
import type { BankFixture } from '../bank/fixture.ts'
import { loadDemoFixture } from '../bank/load-fixture.ts'

/** Half of the minute by which tests move the clock: a busy machine may take as long until it signs, and until it looks. */
const SETTLEMENT_SECONDS = 30

export function unhurriedFixture(): BankFixture {
  const fixture = loadDemoFixture()
  const banks = fixture.banks.map((bank) => ({
    ...bank,
    settlement: { ...bank.settlement, sameDaySeconds: SETTLEMENT_SECONDS },
  }))
  return { ...fixture, banks }
}
