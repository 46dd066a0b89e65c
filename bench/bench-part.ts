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

type PartDefinition<Plan, Figures> = {
  readonly full: Plan
  /** As the full one where there is none. */
  readonly tenth?: Plan
  /** Only shows that the part works; its figures mean nothing. */
  readonly short: Plan
  measure(onHavn: OnHavn, plan: Plan): Promise<Figures>
  lines(figures: Figures): readonly string[]
}

export function measurementOf<Plan, Figures>(part: PartDefinition<Plan, Figures>): Measurement {
  return async (onHavn, size) => part.lines(await part.measure(onHavn, part[size] ?? part.full))
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
