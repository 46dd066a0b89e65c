/** Conformance tests of connectors that submit files, over any channel. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Bank } from '../connector/bank.ts'
import { type FileProduct, type OrderFile, UnreadableFileError } from '../connector/file-product.ts'
import { required } from './conformance-harness.ts'

/** A bank for the suite that accepts files. */
export type FileHarness = {
  readonly files: FileProduct
  readonly bank: Bank
  /** A valid file with a unique id and so many payments. */
  order(count: number): OrderFile
  /** The names of the files in the bank's inbox. */
  takeable(): Promise<readonly string[]>
  /** All our files in the inbox folder, including those that the bank ignores. */
  lying(): Promise<readonly string[]>
  /** The bank reads and removes the files; returns their content. */
  take(): Promise<readonly string[]>
  /** The bank writes a file to its outbox. */
  putOut(name: string, text: string): Promise<void>
  /** A report in the bank's format: the file is accepted, and the payment at this index rejected. */
  report(messageId: string, rejected: number): string
  /** Interrupts and restores the connection to the bank. */
  cutOff(isCut: boolean): Promise<void>
  close(): Promise<void>
}

/** Registers the suite for one connector over one channel. */
export function fileConformance(name: string, open: () => Promise<FileHarness>): void {
  describe(`files over ${name}`, () => {
    let opened: FileHarness | undefined
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.close())
    const harness = () => required(opened, 'The harness is not open')
    testSubmission(harness)
    testReports(harness)
  })
}

function testSubmission(harness: () => FileHarness): void {
  it('shows the bank nothing of a prepared file, and all of it once it is submitted', async () => {
    const { bank, files, order, take, takeable } = harness()
    const file = order(1_200)
    await files.prepare(bank, file, 'attempt')
    expect(await takeable()).toEqual([])
    await files.submitFile(bank, file.messageId, 'attempt')
    const [text = '', ...others] = await take()
    expect(others).toEqual([])
    expect(text).toContain(file.messageId)
    expect(text.match(/<CdtTrfTxInf>/g)).toHaveLength(1_200)
  })

  it('submits a file once, however often it is called', async () => {
    const { bank, files, order, take } = harness()
    const file = order(2)
    await files.prepare(bank, file, 'attempt')
    await files.submitFile(bank, file.messageId, 'attempt')
    expect(await take()).toHaveLength(1)
    await files.submitFile(bank, file.messageId, 'attempt')
    expect(await take()).toEqual([])
  })

  it('keeps the attempts to upload one file apart', async () => {
    const { bank, files, order, take } = harness()
    const file = order(3)
    await files.prepare(bank, file, 'first')
    await files.prepare(bank, file, 'second')
    await files.submitFile(bank, file.messageId, 'second')
    expect(await take()).toHaveLength(1)
  })

  it('submits nothing that was interrupted, or that does not match its totals', async () => {
    const { bank, files, lying, order, take } = harness()
    const broken = order(2)
    const before = await lying()
    const stopped = { ...broken, payments: stopping(broken) }
    await expect(files.prepare(bank, stopped, 'attempt')).rejects.toThrow('power cut')
    const short = { ...broken, payments: [[...(await all(broken))].slice(1)] }
    await expect(files.prepare(bank, short, 'attempt')).rejects.toThrow('is inconsistent with its header')
    expect(await take()).toEqual([])
    expect(await lying()).toEqual(before)
  })

  it('deletes a prepared file for good, and reports one that was submitted before', async () => {
    const { bank, files, order, take } = harness()
    const [late, sent] = [order(2), order(2)]
    await files.prepare(bank, late, 'attempt')
    expect(await files.withdrawFile(bank, late.messageId, 'attempt')).toBe('withdrawn')
    expect(await files.withdrawFile(bank, late.messageId, 'attempt')).toBe('withdrawn')
    await files.submitFile(bank, late.messageId, 'attempt')
    expect(await take()).toEqual([])
    await files.prepare(bank, sent, 'attempt')
    await files.submitFile(bank, sent.messageId, 'attempt')
    expect(await files.withdrawFile(bank, sent.messageId, 'attempt')).toBe('gone')
    expect(await take()).toHaveLength(1)
  })

  it('deletes what attempts have left, or one of them, and nothing that is the bank’s', async () => {
    const { bank, files, lying, order, take } = harness()
    const [file, other] = [order(2), order(2)]
    for (const attempt of ['first', 'second', 'third']) {
      await files.prepare(bank, file, attempt)
    }
    await files.prepare(bank, other, 'first')
    const left = async () => (await lying()).filter((name) => name.includes(file.messageId))
    await files.clear(bank, file.messageId, 'first')
    expect(await left()).toHaveLength(2)
    await files.withdrawFile(bank, file.messageId, 'second')
    await files.submitFile(bank, file.messageId, 'third')
    await files.clear(bank, file.messageId)
    expect(await left()).toHaveLength(1)
    expect(await take()).toHaveLength(1)
    await files.submitFile(bank, other.messageId, 'first')
    expect(await take()).toHaveLength(1)
  })

  it('reports an unreachable bank as unavailable, and continues when it is reachable again', async () => {
    const { bank, cutOff, files, order, take } = harness()
    const file = order(1)
    await cutOff(true)
    await expect(files.prepare(bank, file, 'attempt')).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(files.list(bank)).rejects.toMatchObject({ kind: 'unavailable' })
    await cutOff(false)
    await files.prepare(bank, file, 'attempt')
    await files.submitFile(bank, file.messageId, 'attempt')
    expect(await take()).toHaveLength(1)
  })
}

function testReports(harness: () => FileHarness): void {
  it('reads the status report of a file and of its payments, and archives the report', async () => {
    const { bank, files, putOut, report } = harness()
    await putOut('report-1.xml', report('m1', 1))
    const [listed] = await files.list(bank)
    expect(listed).toMatchObject({ name: 'report-1.xml' })
    const read = await files.read(bank, 'report-1.xml')
    expect(read.report).toMatchObject({
      messageId: 'm1',
      whole: { status: 'InProgress' },
      payments: [{ position: 1, status: 'Rejected' }],
    })
    await files.archiveFile(bank, 'report-1.xml', 'mark-1')
    expect(await files.list(bank)).toEqual([])
    await files.archiveFile(bank, 'report-1.xml', 'mark-2')
  })

  it('reads reports whose names contain URL syntax', async () => {
    const { bank, files, putOut, report } = harness()
    const names = ['%2e%2e', '100%.xml', 'a#1?.xml']
    for (const name of names) {
      await putOut(name, report('m4', 0))
    }
    expect((await files.list(bank)).map(({ name }) => name)).toEqual(names)
    for (const name of names) {
      expect((await files.read(bank, name)).report).toMatchObject({ messageId: 'm4' })
      await files.archiveFile(bank, name, `mark-${name.length}`)
    }
    expect(await files.list(bank)).toEqual([])
  })

  it('recognises a report by its content, and archives a second one of the same name', async () => {
    const { bank, files, putOut, report } = harness()
    const digests: string[] = []
    for (const [mark, rejected] of [
      ['mark-3', 0],
      ['mark-4', 0],
      ['mark-5', 1],
    ] as const) {
      await putOut('report-2.xml', report('m2', rejected))
      digests.push((await files.read(bank, 'report-2.xml')).digest)
      await files.archiveFile(bank, 'report-2.xml', mark)
    }
    expect(digests[1]).toBe(digests[0])
    expect(digests[2]).not.toBe(digests[0])
    expect(await files.list(bank)).toEqual([])
  })

  it('ignores files that are no complete report, and detects when one was rewritten', async () => {
    const { bank, files, putOut, report } = harness()
    const text = report('m3', 0)
    await putOut('statement.xml', '<Document><BkToCstmrStmt/></Document>')
    expect((await files.read(bank, 'statement.xml')).report).toBeNull()
    await putOut('report-3.xml', text.slice(0, text.length / 2))
    expect((await files.read(bank, 'report-3.xml')).report).toBeNull()
    const versions = async () => (await files.list(bank)).find(({ name }) => name === 'report-3.xml')?.version
    const before = await versions()
    await putOut('report-3.xml', text)
    expect(await versions()).not.toBe(before)
    expect((await files.read(bank, 'report-3.xml')).report).toMatchObject({ messageId: 'm3' })
    await files.archiveFile(bank, 'report-3.xml', 'mark-6')
    await files.archiveFile(bank, 'statement.xml', 'mark-7')
  })

  it('follows no file name out of the folder', async () => {
    const { bank, files } = harness()
    await expect(files.read(bank, '../secret.xml')).rejects.toMatchObject({
      kind: 'misconfigured',
      isPermanent: true,
    })
  })

  it('distinguishes an unreadable file from a broken connection, and from a report on nothing', async () => {
    const { bank, cutOff, files, putOut, report } = harness()
    await putOut('report-4.xml', report('m5', 1).replaceAll(/<(GrpSts|PmtInfSts|TxSts)>\w+<\/\1>/g, ''))
    await expect(files.read(bank, 'report-4.xml')).rejects.toMatchObject({ isPermanent: true })
    await files.archiveFile(bank, 'report-4.xml', 'mark-8')
    await expect(files.read(bank, 'gone.xml')).rejects.toMatchObject({ isPermanent: false })
    await expect(files.read(bank, 'gone.xml')).rejects.toBeInstanceOf(UnreadableFileError)
    await cutOff(true)
    await expect(files.list(bank)).rejects.not.toBeInstanceOf(UnreadableFileError)
    await cutOff(false)
  })
}

async function* stopping(file: OrderFile): AsyncIterable<Awaited<ReturnType<typeof all>>> {
  yield [...(await all(file))].slice(0, 1)
  throw new Error('power cut')
}

async function all({ payments }: OrderFile) {
  const slices = []
  for await (const slice of payments) {
    slices.push(...slice)
  }
  return slices
}
