/** Measures what whoever tries Havn measures: initiations with the sandbox bank as it is, on an empty database, certificates and signed messages included. */
import { setTimeout as pause } from 'node:timers/promises'
import type { DomesticPayment } from '../contract/domestic-payment.ts'
import { nextBankDay } from '../gateway/countries/bank-days.ts'
import { movableClock } from '../gateway/foundation/clock.ts'
import { type NordicBank, nordicBank, nordicBanks } from '../gateway/testing/nordic-banks.ts'
import { acceptedWithoutBrowser, fromAccount, toAccount } from '../gateway/testing/payer.ts'
import { median } from './figures.ts'
import { initiationsPerSecond, openInitiations } from './initiations.ts'
import { moveBankTo, type RunningHavn, startHavn } from './running-havn.ts'
import { startStubBank } from './stub-bank.ts'

/** How long many callers order, and how often one caller does. */
export type SandboxPlan = { readonly warmUpSeconds: number; readonly seconds: number; readonly ordersOfOne: number }

export const FULL_SANDBOX: SandboxPlan = { warmUpSeconds: 10, seconds: 20, ordersOfOne: 200 }
/** Shows that the bench works; its figures mean nothing. */
export const SHORT_SANDBOX: SandboxPlan = { warmUpSeconds: 1, seconds: 1, ordersOfOne: 3 }

export type SandboxFigures = {
  readonly callers: number
  /** Initiations per second by many callers, with the sandbox bank and with a stub in its place. */
  readonly perSecond: { readonly sandbox: number; readonly stub: number }
  /** The median of one caller at each bank, in milliseconds. */
  readonly oneCaller: ReadonlyMap<string, number>
}

const CALLERS = 16
const MAIN_BANK = 'FJORNO22'
/** After this the gateway knows where a bank is. */
const DIRECTORY_MILLISECONDS = 6_000

/** Measures in an empty folder; leaves nothing behind, even when it is interrupted. */
export async function measureSandbox(
  folder: string,
  plan: SandboxPlan,
  interrupted: Promise<never>,
): Promise<SandboxFigures> {
  const havn = await startHavn(folder)
  try {
    return await Promise.race([measure(havn, plan), interrupted])
  } finally {
    await havn.close()
  }
}

async function measure(havn: RunningHavn, plan: SandboxPlan): Promise<SandboxFigures> {
  const sandbox = await manyCallers(havn, plan)
  const oneCaller = new Map<string, number>()
  for (const bank of nordicBanks) {
    oneCaller.set(bank.bic, await oneCallerAt(havn, bank, plan))
  }
  const stub = await startStubBank()
  try {
    await moveBankTo(stub, havn)
    await pause(DIRECTORY_MILLISECONDS)
    return { callers: CALLERS, perSecond: { sandbox, stub: await manyCallers(havn, plan) }, oneCaller }
  } finally {
    await stub.close()
  }
}

async function manyCallers(havn: RunningHavn, plan: SandboxPlan): Promise<number> {
  const { initiate, close } = await openInitiations(await payerAt(havn, nordicBank(MAIN_BANK)), CALLERS)
  try {
    return await initiationsPerSecond(initiate, { ...plan, callers: CALLERS })
  } finally {
    await close()
  }
}

async function oneCallerAt(havn: RunningHavn, bank: NordicBank, { ordersOfOne }: SandboxPlan): Promise<number> {
  const { initiate, close } = await openInitiations(await payerAt(havn, bank), 1, orderAt(bank))
  try {
    const milliseconds: number[] = []
    for (let count = 0; count < ordersOfOne; count += 1) {
      const began = performance.now()
      await initiate()
      milliseconds.push(performance.now() - began)
    }
    return median(milliseconds)
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
function orderAt(bank: NordicBank): Partial<DomesticPayment> {
  const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], movableClock().today('Europe/Helsinki').add({ days: 1 }))
  return {
    ...fromAccount(bank, bank.main),
    ...toAccount(bank.supplier, bank.supplierName),
    amount: { amount: '1250.00', currency: bank.currency },
    dueDate: dueDate.toString(),
  }
}
