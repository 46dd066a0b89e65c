/** Runs the sandbox bank as a program until it is stopped or its parent has exited. */
import { readFile } from 'node:fs/promises'
import { runProgram } from '../run-program.ts'
import { BANK_SETTINGS, type BankConfig, readProgramSettings } from '../settings.ts'
import { startSandboxBank } from './bank.ts'

const config = readProgramSettings(BANK_SETTINGS, process.env)
await runProgram({
  name: 'sandbox-bank',
  title: 'the sandbox bank',
  logLevel: config.logLevel,
  start: async (log) => await startSandboxBank({ ...config, log, ...(await trustOf(config)) }),
  addressesOf: ({ xs2aUrl, pagesUrl }) => ({ xs2aUrl, pagesUrl }),
})

async function trustOf({ trustFiles: files }: BankConfig) {
  if (files === null) {
    return {}
  }
  const read = (file: string) => readFile(file, 'utf8')
  const trust = {
    certificate: await read(files.certificate),
    key: await read(files.key),
    clientAuthorities: await read(files.clientAuthorities),
  }
  return { trust }
}
