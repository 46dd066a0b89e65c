/** Tests the figures of the structure on a few lines of sources. */
import { expect, it } from 'vitest'
import type { SourceFile } from '../source-files.ts'
import { countSources, mutualFolders } from './count-sources.ts'
import { findForeignSql, tablesIn } from './find-foreign-sql.ts'

function source(path: string, text: string, ...imported: readonly string[]): SourceFile {
  const imports = imported.map((name) => ({ kind: 'file', name, isOfTypes: false, isDynamic: false }) as const)
  return { path, text, isTest: path.endsWith('.test.ts'), purpose: undefined, imports }
}

it('counts sources apart from tests, spellings of a context, and branches on payrolls', () => {
  const figures = countSources([
    source(
      'gateway/orders/one.ts',
      'function a(context: Context) {}\nfunction b(context: Pick<Context, "log">, n: number) {}\n',
    ),
    source('gateway/banks/two.ts', "if (order.payroll !== undefined) {\n}\nconst zone = 'Europe/Oslo'\n"),
    source('gateway/orders/one.test.ts', 'a\nb\n'),
    source('gateway/testing/fixture.ts', 'a\n'),
  ])
  expect(Object.fromEntries(figures)).toMatchObject({
    'source lines': 5,
    'source files': 2,
    'lines of tests and their fixtures': 3,
    'lines of orders, payments, payrolls, approvals, cancellations': 2,
    'spellings of the type of a context': 2,
    'branches on payrolls outside the modules of the kinds': 1,
    'files that name the zone of Oslo outside the countries': 1,
  })
})

it('counts as the type of a context neither a value nor what follows the type, as waiting only loops that pause, and leases by their condition', () => {
  const figures = countSources([
    source(
      'bench/one.ts',
      'type Recorder = {\n  readonly context: Context\n  /** Prepares (much). */\n  prepare(): void\n}\n',
    ),
    source('bench/two.ts', 'domesticPayment({ context: { clock: { today } } })\nopen({ context: { clock } })\n'),
    source('gateway/platform/jobs/lease.ts', 'sql`lease_until is null or lease_until < now()`\n'),
    source('gateway/own-lease.ts', 'sql`update a set lease_until = null where lease_until < now()`\n'),
    source('gateway/released-lease.ts', 'sql`update a set lease_until = null`\n'),
    source('bench/three.ts', 'function a(context: { readonly clock: Clock }, n: number) {}\n'),
    source(
      'gateway/loops.ts',
      [
        'for (;;) {\n  parse()\n}',
        'for (const row of due(clock.now())) {\n  await pauseAll(row)\n}',
        'for (;;) {\n  try {\n    return await call()\n  } catch (error) {\n    await pause(1)\n  }\n}',
        'for (let check = 0; check < 9; check += 1) {\n  await read()\n  await pause(1)\n}',
      ].join('\n'),
    ),
  ])
  expect(Object.fromEntries(figures)).toMatchObject({
    'spellings of the type of a context': 2,
    'waiting loops in the gateway': 1,
    'kinds of lease': 2,
  })
})

it('finds sibling folders that import each other, whatever lies below them', () => {
  expect(
    mutualFolders([
      source('gateway/orders/status/poll.ts', '', 'gateway/orders/submission/settle/settle.ts'),
      source('gateway/orders/submission/submit.ts', '', 'gateway/orders/status/poll.ts', 'gateway/banks/bank.ts'),
    ]),
  ).toEqual(['gateway/orders: status, submission'])
})

it('finds statements on the tables of another module, and no prose', () => {
  const tables = tablesIn(['create table payments (id uuid)', 'create table approvals (id uuid)'])
  const foreign = findForeignSql(
    [
      source('gateway/orders/payment-store.ts', 'sql`insert into payments values (1)`'),
      source(
        'gateway/approvals/approval-store.ts',
        "insertInto('approvals')\nsql`select 1 from approvals join payments`",
      ),
      source('console/list.ts', 'const text = `from payments to approvals`'),
    ],
    tables,
  )
  expect(foreign).toEqual([{ path: 'gateway/approvals/approval-store.ts', table: 'payments', owner: 'gateway/orders' }])
})
