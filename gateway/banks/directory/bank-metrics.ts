/** Sets the gauge of bank statuses. */
import type { Metrics } from '../../platform/observability/metrics.ts'
import type { BankStatus } from '../connector/bank.ts'
import type { BankDirectory } from './bank-directory.ts'

const STATUSES: readonly BankStatus[] = ['Operational', 'Degraded', 'Down']

/** Updates the gauge; banks that are no longer enabled are removed from it. */
export async function updateBankMetrics({
  banks,
  metrics,
}: {
  readonly banks: BankDirectory
  readonly metrics: Metrics
}): Promise<void> {
  const enabled = await banks.all()
  const statuses = await Promise.all(
    enabled.map(async (bank) => ({
      bank: bank.bic,
      status: await banks.statusOf(bank),
      paused: await banks.isPaused(bank.bic),
    })),
  )
  metrics.bankStatus.reset()
  for (const { bank, status: present, paused } of statuses) {
    for (const status of STATUSES) {
      metrics.bankStatus.set({ bank, status }, status === present ? 1 : 0)
    }
    metrics.bankStatus.set({ bank, status: 'Paused' }, paused ? 1 : 0)
  }
}
