/** Measures initiations with the sandbox bank on an empty database, including TLS and signed messages. */
import { setTimeout as pause } from 'node:timers/promises'
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import { nextBankDay } from '../../gateway/countries/bank-days.ts'
import { type NordicBank, nordicBank, nordicBanks } from '../../gateway/testing/banks/nordic-banks.ts'
import { acceptedWithoutBrowser, fromAccount, toAccount } from '../../gateway/testing/payments/payment-driver.ts'
import { measurementOf } from '../bench-part.ts'
import { initiationsPerSecond, openInitiationClient } from '../environment/initiation-client.ts'
import { type CpuTimes, cpuTimesDuring } from '../environment/process-usage.ts'
import { pointBankToStub, type RunningHavn, todayOf } from '../environment/running-havn.ts'
import { startStubBank } from '../environment/stub-bank.ts'
import { atLeast, atMost, line, median } from '../figures.ts'

/** The durations with many callers, and the orders of a single caller: for warm-up, then at each bank. */
type SandboxPlan = {
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly warmUpOrders: number
  readonly ordersOfOne: number
}

export const sandboxBankInitiations = measurementOf<SandboxPlan>(
  {
    full: { warmUpSeconds: 10, seconds: 20, warmUpOrders: 1_000, ordersOfOne: 100 },
    short: { warmUpSeconds: 0, seconds: 1, warmUpOrders: 1, ordersOfOne: 1 },
  },
  async (onHavn, plan) => {
    const { oneCaller, cpuOfOne, rate } = await onHavn((havn) => measureBanks(havn, plan))
    const stub = await onHavn((havn) => measureStub(havn, plan))
    // 600 per second on a machine that reaches 1 260 with the stub: distinguishes a slow bank from a slow machine.
    const ratio = atLeast(rate.perSecond / stub.perSecond, 0.48, { decimals: 2 })
    return [
      'Initiations with the sandbox bank, from an empty database on:',
      line(`${CALLERS} callers`, atLeast(rate.perSecond, 600, { beside: ' per second' })),
      line('the same with a stub bank', `${stub.perSecond.toFixed(0)} per second, ratio ${ratio}`),
      '  one caller, median at each bank:',
      ...oneCaller,
      '  CPU time of one initiation:',
      line(`  ${CALLERS} callers`, cpuText(rate.cpu)),
      line('  one caller', cpuText(cpuOfOne)),
    ]
  },
)

type Measured = {
  /** The median latency of one caller, a line for each bank. */
  readonly oneCaller: readonly string[]
  /** The CPU time of one initiation at the main bank, by process: less dependent on other load than the rates. */
  readonly cpuOfOne: CpuTimes
  readonly rate: Rate
}

const CALLERS = 16
const MAIN_BANK = 'FJORNO22'
/** After this time the gateway uses the bank's new address. */
const DIRECTORY_MILLISECONDS = 6_000

/** One caller first: a minute after thousands of unsigned orders, the gateway polls the bank for each of them. */
async function measureBanks(havn: RunningHavn, plan: SandboxPlan): Promise<Measured> {
  await latencyOfOneCaller(havn, nordicBank(MAIN_BANK), plan.warmUpOrders)
  const oneCaller: string[] = []
  let cpuOfOne: CpuTimes = new Map()
  for (const bank of nordicBanks) {
    const { latencies, cpu } = await latencyOfOneCaller(havn, bank, plan.ordersOfOne)
    oneCaller.push(line(`  ${bank.bic}`, atMost(median(latencies), 6, { unit: ' ms', decimals: 1 })))
    cpuOfOne = bank.bic === MAIN_BANK ? cpu : cpuOfOne
  }
  return { oneCaller, cpuOfOne, rate: await manyCallers(havn, plan) }
}

async function measureStub(havn: RunningHavn, plan: SandboxPlan): Promise<Rate> {
  const stub = await startStubBank()
  try {
    await pointBankToStub(stub, havn)
    await pause(DIRECTORY_MILLISECONDS)
    return await manyCallers(havn, plan)
  } finally {
    await stub.close()
  }
}

/** Initiations per second, and the CPU time of one. */
type Rate = { readonly perSecond: number; readonly cpu: CpuTimes }

async function manyCallers(havn: RunningHavn, plan: SandboxPlan): Promise<Rate> {
  const { initiate, close } = await openInitiationClient(await payerAt(havn, nordicBank(MAIN_BANK)), CALLERS)
  const { warmUpSeconds, seconds } = plan
  try {
    await initiationsPerSecond(initiate, { callers: CALLERS, warmUpSeconds, seconds: 0 })
    const { result, times } = await cpuTimesDuring(havn, () =>
      initiationsPerSecond(initiate, { callers: CALLERS, warmUpSeconds: 0, seconds }),
    )
    return { perSecond: result, cpu: perInitiation(times, result * seconds) }
  } finally {
    await close()
  }
}

function perInitiation(times: CpuTimes, initiations: number): CpuTimes {
  return new Map([...times].map(([name, time]) => [name, time / initiations]))
}

/** The latency of each order in milliseconds, and the CPU time of one. */
async function latencyOfOneCaller(
  havn: RunningHavn,
  bank: NordicBank,
  orders: number,
): Promise<{ readonly latencies: readonly number[]; readonly cpu: CpuTimes }> {
  const { initiate, close } = await openInitiationClient(
    await payerAt(havn, bank),
    1,
    orderAt(bank, await todayOf(havn)),
  )
  try {
    const latencies: number[] = []
    const { times } = await cpuTimesDuring(havn, async () => {
      for (let count = 0; count < orders; count += 1) {
        const began = performance.now()
        await initiate()
        latencies.push(performance.now() - began)
      }
    })
    return { latencies, cpu: perInitiation(times, orders) }
  } finally {
    await close()
  }
}

async function payerAt(havn: RunningHavn, bank: NordicBank): Promise<RunningHavn> {
  if (bank.bic === MAIN_BANK) {
    return havn
  }
  const { consentId } = await acceptedWithoutBrowser(havn, bank.users[0], bank)
  return { ...havn, consentId }
}

/** A payment to a supplier on a day on which every bank is open. */
function orderAt(bank: NordicBank, today: Temporal.PlainDate): Partial<DomesticPayment> {
  const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], today.add({ days: 1 }))
  return {
    ...fromAccount(bank, bank.main),
    ...toAccount(bank.supplier, bank.supplierName),
    amount: { amount: '1250.00', currency: bank.currency },
    dueDate: dueDate.toString(),
  }
}

const CPU_SHOWN_MIN_MILLISECONDS = 0.05

/** The total, and the processes with a share that is worth printing. */
function cpuText(times: CpuTimes): string {
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  const shares = [...times].filter(([, time]) => time >= CPU_SHOWN_MIN_MILLISECONDS)
  return `${total.toFixed(1)} ms: ${shares.map(([name, time]) => `${name} ${time.toFixed(2)}`).join(', ')}`
}
