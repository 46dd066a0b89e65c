/** Declares the sandbox operations that simulate faults of banks, and clear them. */
import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { sandboxStep } from './sandbox-bank.ts'

export const disturbSandboxBank = operation({
  ...sandboxStep,
  id: 'disturbSandboxBank',
  path: '/api/sandbox/banks/{bic}/faults',
  summary: 'Simulate a fault of a bank',
  destructive: 'The bank fails for every partner of the sandbox.',
  description: 'Lasts until `DELETE /api/sandbox/faults`; `lose-next-answer` applies once.',
  params: Type.Object({ bic: Type.String({ description: "The bank's BIC." }) }),
  body: Type.Object(
    {
      effect: Type.Enum(['down', 'slow', 'lose-next-answer'], {
        description:
          '`down`: it cannot be reached. `slow`: every response is delayed. `lose-next-answer`: it accepts ' +
          'the next order or cancellation, of a payment or of a bulk, and its response is lost.',
      }),
      milliseconds: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 60_000, description: 'The delay of a slow bank; 3000 by default.' }),
      ),
    },
    { title: 'SandboxFault', description: 'A simulated fault of a bank.' },
  ),
  answer: { status: 204, schema: null },
})

export const healSandboxBanks = operation({
  ...sandboxStep,
  id: 'healSandboxBanks',
  method: 'DELETE',
  path: '/api/sandbox/faults',
  summary: 'Clear simulated faults',
  description: 'All banks of the sandbox respond normally again.',
  validation: [],
  idempotent: false,
  answer: { status: 204, schema: null },
})
