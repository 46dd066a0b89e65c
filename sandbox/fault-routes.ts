/** Serves the faults of a sandbox program with one port: lists, injects and clears them; `down` closes the port. */

import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import type { ClosablePort } from './closable-port.ts'
import { ControlError } from './control-scope.ts'
import type { FaultList } from './fault-list.ts'

/** A program: its faults, and the port of all but its control API. */
export type FaultyProgram<Fault extends { readonly effect: string }> = {
  readonly faults: FaultList<Fault>
  readonly port: ClosablePort
}

/** Closes the port while a fault has the program down, and opens it otherwise. */
export async function updatePort<Fault extends { readonly effect: string }>({
  faults,
  port,
}: FaultyProgram<Fault>): Promise<void> {
  await port.setOpen(!faults.list().some(({ effect }) => effect === 'down'))
}

/** `schema` is that of a fault in a request. */
export function faultRoutes<Fault extends { readonly effect: string }>(
  program: FaultyProgram<Fault>,
  schema: TSchema,
  scope: FastifyInstance,
): void {
  const { faults } = program
  scope.get('/faults', () => faults.list())
  scope.post('/faults', { schema: { body: schema } }, async ({ body }) => {
    const fault = body as Fault
    requirePossible(fault)
    await faults.add(fault)
    await updatePort(program)
    return faults.list()
  })
  scope.delete('/faults', async () => {
    await faults.clear()
    await updatePort(program)
    return []
  })
}

/** A closed port is closed for every call. */
function requirePossible({ effect, ...limits }: { readonly effect: string }): void {
  const [limit] = Object.keys(limits)
  if (effect === 'down' && limit !== undefined) {
    throw new ControlError(400, `The effect down lasts until it is cleared and is for all calls: leave out ${limit}`)
  }
}
