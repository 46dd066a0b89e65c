/** Says what a part of the bench is, and gives it Havns to measure and the stub bank. */
import { type Initiate, openInitiationClient } from './environment/initiation-client.ts'
import { pointBankToStub, type RunningHavn } from './environment/running-havn.ts'
import { waitUntilBankMoved } from './environment/sandbox-bank.ts'
import { type StubBank, startStubBank } from './environment/stub-bank.ts'

/** Measures on a Havn of its own, optionally with other settings; cleans up, even when it is interrupted. */
export type OnHavn = <Figures>(
  measure: (havn: RunningHavn) => Promise<Figures>,
  settings?: Readonly<Record<string, string>>,
) => Promise<Figures>

export type PlanSize = 'full' | 'tenth' | 'short'

/** Measures a part, and returns the lines to print. */
export type Measurement = (onHavn: OnHavn, size: PlanSize) => Promise<readonly string[]>

/** How much is measured; a short plan only shows that the part works, and its figures mean nothing. */
type Plans<Plan> = { readonly full: Plan; readonly tenth?: Plan; readonly short: Plan }

export function measurementOf<Plan>(
  plans: Plans<Plan>,
  measure: (onHavn: OnHavn, plan: Plan) => Promise<readonly string[]>,
): Measurement {
  return (onHavn, size) => measure(onHavn, plans[size] ?? plans.full)
}

/** A part that needs one Havn with the usual settings. */
export function measurementOnHavn<Plan>(
  plans: Plans<Plan>,
  measure: (havn: RunningHavn, plan: Plan) => Promise<readonly string[]>,
): Measurement {
  return measurementOf(plans, (onHavn, plan) => onHavn((havn) => measure(havn, plan)))
}

/** A Havn whose bank is a stub, and how to initiate payments there. */
export type StubbedHavn = { readonly havn: RunningHavn; readonly stub: StubBank; readonly initiate: Initiate }

export async function measureWithStub<Figures>(
  onHavn: OnHavn,
  callers: number,
  measure: (stubbed: StubbedHavn) => Promise<Figures>,
  settings?: Readonly<Record<string, string>>,
): Promise<Figures> {
  const stub = await startStubBank()
  try {
    return await onHavn(async (havn) => {
      const { initiate, close } = await openInitiationClient(havn, callers)
      try {
        await pointBankToStub(stub, havn)
        await waitUntilBankMoved(initiate, stub)
        return await measure({ havn, stub, initiate })
      } finally {
        await close()
      }
    }, settings)
  } finally {
    await stub.close()
  }
}
