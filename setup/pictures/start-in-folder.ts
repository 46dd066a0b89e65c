/** Starts Havn as `npm start` does, on free ports and with a folder of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freeBankPorts, freePorts } from '../../gateway/testing/gateway/free-ports.ts'
import { ROOT } from '../source-files.ts'

export type StartedHavn = {
  readonly url: string
  readonly bankUrl: string
  /** The lines about what is ready. */
  readonly printed: readonly string[]
  readonly stop: () => Promise<void>
}

const LINES_SHOWN = /^(Havn is ready|\s+Open\s)/

export async function startInFolder(folder: string): Promise<StartedHavn> {
  const [port, bankPort, identityPort, fxPort, inboxPort] = await freePorts(5)
  const ports = {
    HAVN_PORT: port,
    HAVN_SANDBOX_BANK_PORT: bankPort,
    HAVN_SANDBOX_XS2A_PORT: await freeBankPorts(),
    HAVN_SANDBOX_IDENTITY_PORT: identityPort,
    HAVN_SANDBOX_FX_PORT: fxPort,
    HAVN_SANDBOX_INBOX_PORT: inboxPort,
  }
  const settings = Object.fromEntries(Object.entries(ports).map(([name, value]) => [name, String(value)]))
  const child = spawn(process.execPath, ['--expose-gc', 'cli/havn.ts', 'start'], {
    cwd: ROOT,
    env: { ...process.env, ...settings, HAVN_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let reported = ''
  for await (const part of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    reported += part
    if (reported.includes('Ctrl-C stops everything')) {
      break
    }
  }
  child.stdout.resume()
  return {
    url: `http://127.0.0.1:${port}`,
    bankUrl: `http://127.0.0.1:${bankPort}`,
    printed: reported.split('\n').filter((line) => LINES_SHOWN.test(line)),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
