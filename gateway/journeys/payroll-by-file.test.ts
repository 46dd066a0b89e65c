/** Journey: a payroll at a bank with files over SFTP, from the operator's agreement to the last report. */

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenSshServer, openSshServer } from '../banks/testing/openssh-server.ts'
import { type FileBankFixture, openFileBank } from '../testing/banks/file-bank.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'

/** More than fit in a basket, and two of them rejected. */
const COUNT = 150
const BEGIN_MILLISECONDS = 60_000

let server: OpenSshServer
let line: CuttableLine
let gateway: TestGateway
let stage: FileBankFixture
beforeAll(async () => {
  server = await openSshServer(['to-bank', 'from-bank', 'done'])
  line = await cuttableLine(Number(new URL(server.address).port))
  const knownHosts = (await readFile(server.identityFiles.knownHostsFile, 'utf8')).replace(/\]:\d+ /, `]:${line.port} `)
  await server.trustAs(knownHosts)
  const { keyFile, knownHostsFile } = server.identityFiles
  gateway = await startTestGateway({
    settings: { HAVN_SFTP_KEY_FILE: keyFile, HAVN_SFTP_KNOWN_HOSTS_FILE: knownHostsFile },
  })
  const address = server.address.replace(/:\d+\//, `:${line.port}/`)
  stage = await openFileBank(gateway, { address, folder: server.folder })
}, BEGIN_MILLISECONDS)
afterAll(async () => {
  await gateway.close()
  await line.close()
  await server.close()
})

test('150 salaries are one file at the bank, and each has its status from the bank’s reports', async () => {
  const requested = stage.payroll(COUNT)
  const { payrollId } = await stage.order(requested)
  await gateway.sweep()
  const [[messageId, text] = ['', '']] = await stage.take()
  expect(paid(text)).toEqual(
    requested.transactions.map(
      ({ metadata, account, amount }) => `${metadata.endToEndId} ${account.bban} ${amount.amount}`,
    ),
  )
  await stage.report(messageId, { group: 'ACTC', at: '2026-11-20T10:00:00' })
  await stage.look()
  expect(await counts(payrollId)).toEqual({ Unsigned: COUNT })
  const payments = requested.transactions.map(({ metadata: { endToEndId } }, index) => ({
    endToEndId,
    status: index % 100 === 7 ? 'RJCT' : 'ACSC',
    ...(index % 100 === 7 ? { reason: 'AC04' } : {}),
  }))
  await stage.report(messageId, { group: 'PART', payments, at: '2026-11-20T11:00:00' })
  await stage.look()
  expect(await counts(payrollId)).toEqual({ Completed: COUNT - 2, Rejected: 2 })
  expect(await stage.statusOf(payrollId)).toMatchObject({ currentPayrollStatus: 'Completed', finalStatus: true })
  expect(await stage.waiting()).toEqual([])
}, 60_000)

test('a connection that is cut at any moment submits no file twice, and loses none', async () => {
  for (const bytes of [1_000, 3_000, 6_000]) {
    await stage.order(stage.payroll(3))
    line.cutAfter(bytes)
    await gateway.sweep()
    const taken = [...(await stage.take()).keys()]
    line.cutAfter(null)
    await gateway.client.moveSandboxClock({ body: { advance: 'PT1M' } })
    taken.push(...(await stage.take()).keys())
    expect(taken, `cut after ${bytes} bytes`).toHaveLength(1)
  }
  expect(gateway.logLines().filter((log) => log.includes('a file could not be sent'))).not.toEqual([])
}, 120_000)

async function counts(payrollId: string): Promise<Readonly<Record<string, number>>> {
  const { transactions } = await stage.statusOf(payrollId)
  const groups = Map.groupBy(transactions, ({ payrollStatus }) => payrollStatus)
  return Object.fromEntries([...groups].map(([status, alike]) => [status, alike.length]))
}

/** Creditors and amounts of the file, by another parser. */
function paid(text: string): readonly string[] {
  return within(parseXml(text).root, 'CdtTrfTxInf').map((payment) =>
    [within(payment, 'EndToEndId'), within(within(payment, 'CdtrAcct')[0], 'Othr'), within(payment, 'InstdAmt')]
      .map(([element]) => (element?.name === 'Othr' ? within(element, 'Id')[0]?.text : element?.text))
      .join(' '),
  )
}

function within(element: XmlElement | null | undefined, name: string): readonly XmlElement[] {
  return (element?.children ?? []).flatMap((child) =>
    !(child instanceof XmlElement) ? [] : child.name === name ? [child] : within(child, name),
  )
}

type CuttableLine = {
  readonly port: number
  /** Cuts every connection once it has sent so many bytes to the server; null limits nothing. */
  cutAfter(bytes: number | null): void
  close(): Promise<void>
}

async function cuttableLine(to: number): Promise<CuttableLine> {
  let limit: number | null = null
  const open = new Set<Socket>()
  const relay = createServer((client) => {
    const upstream = connect(to, '127.0.0.1')
    let carried = 0
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => undefined).on('close', () => [client, upstream].map((each) => each.destroy()))
    }
    upstream.pipe(client)
    client.on('data', (bytes) => {
      carried += bytes.length
      if (limit !== null && carried > limit) {
        client.destroy()
      } else {
        upstream.write(bytes)
      }
    })
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const address = relay.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cutAfter: (bytes) => {
      limit = bytes
    },
    close: async () => {
      for (const socket of open) {
        socket.destroy()
      }
      await new Promise((resolve) => relay.close(resolve))
    },
  }
}
