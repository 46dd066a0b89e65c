/** Measures how the banks do. */
import type { Metrics } from '../../platform/observability/metrics.ts'
import type { BankStatus } from './bank.ts'
import type { BankDirectory } from './bank-directory.ts'

const STATUSES: readonly BankStatus[] = ['Operational', 'Degraded', 'Down']

/** Brings the gauge up to date; banks that are no longer enabled leave it. */
export async function measureBanks({
  banks,
  metrics,
}: {
  readonly banks: BankDirectory
  readonly metrics: Metrics
}): Promise<void> {
  const enabled = await banks.all()
  const seen = await Promise.all(
    enabled.map(async (bank) => ({
      bank: bank.bic,
      status: await banks.statusOf(bank),
      paused: await banks.isPaused(bank.bic),
    })),
  )
  metrics.bankStatus.reset()
  for (const { bank, status: present, paused } of seen) {
    for (const status of STATUSES) {
      metrics.bankStatus.set({ bank, status }, status === present ? 1 : 0)
    }
    metrics.bankStatus.set({ bank, status: 'Paused' }, paused ? 1 : 0)
  }
}
