/** Runs the sandbox bank as a program of its own, until it is told to end or its parent is gone. */
import { readFile } from 'node:fs/promises'
import { openLog } from '../../gateway/foundation/log.ts'
import { startSandboxBank } from './bank.ts'
import { readConfig } from './config.ts'

let isEnding = false
const config = readConfig(process.env)
const log = openLog({ program: 'sandbox-bank', level: config.logLevel })
const starting = start()
process.once('SIGTERM', end)
// Ctrl-C reaches the whole group: a program under a supervisor leaves the order of ending to it.
process.on('SIGINT', process.connected ? () => undefined : end)
process.once('disconnect', end)
const bank = await starting
log.info({ xs2aUrl: bank.xs2aUrl, pagesUrl: bank.pagesUrl }, 'the sandbox bank is open')
if (process.connected) {
  process.send?.({ ready: true, xs2aUrl: bank.xs2aUrl, pagesUrl: bank.pagesUrl })
}

async function start() {
  const { trustFiles: files } = config
  if (files === undefined) {
    return await startSandboxBank({ ...config, log })
  }
  const read = (file: string) => readFile(file, 'utf8')
  const trust = {
    certificate: await read(files.certificate),
    key: await read(files.key),
    clientAuthorities: await read(files.clientAuthorities),
  }
  return await startSandboxBank({ ...config, log, trust })
}

async function end(): Promise<void> {
  if (!isEnding) {
    isEnding = true
    await (await starting).close()
    if (process.connected) {
      process.disconnect?.()
    }
  }
}
