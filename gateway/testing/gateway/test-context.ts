/** Contexts of tests without a running gateway. */
import type { Context } from '../../context.ts'
import { movableClock } from '../../platform/clock.ts'
import { openLog } from '../../platform/observability/log.ts'
import { openMetrics } from '../../platform/observability/metrics.ts'
import type { ProgramContext } from '../../platform/program-context.ts'

/** The context of a program that uses this database and logs nothing, with these parts in place of its own. */
export function programContext(
  database: ProgramContext['database'],
  parts: Partial<ProgramContext> = {},
): ProgramContext {
  return {
    database,
    clock: movableClock(),
    log: openLog({ program: 'test', level: 'silent' }),
    metrics: openMetrics({ processMetrics: false }),
    trace: null,
    ...parts,
  }
}

/** A context with these parts alone, for functions that use no others. */
export function contextOf(parts: { readonly [Part in keyof Context]?: Partial<Context[Part]> | null }): Context {
  return parts as Context
}
