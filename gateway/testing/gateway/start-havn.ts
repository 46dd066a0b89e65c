/** Runs Havn as `npm start` does, on ports of its own. */
import { fileURLToPath } from 'node:url'
import { addressOf, readStartSettings } from '../../../launcher/start-settings.ts'
import { type BackgroundProgram, startProgram, untilReady } from './background-program.ts'
import { freeBankPorts, freePorts } from './free-ports.ts'

const HAVN = fileURLToPath(new URL('../../../cli/havn.ts', import.meta.url))

/** Settings of `havn start`, and the URLs that they make. */
export type StartPorts = {
  readonly settings: Readonly<Record<string, string>>
  readonly url: string
  readonly bankUrl: string
  readonly fxControlUrl: string
}

/** A free port for each program but the worker, which chooses one by itself. */
export async function freeStartPorts(): Promise<StartPorts> {
  const { sandboxXs2a, ...others } = readStartSettings({}).ports
  const variables = Object.values(others).map(({ variable }) => variable)
  const ports = await freePorts(variables.length)
  const settings = {
    ...Object.fromEntries(variables.map((variable, index) => [variable, String(ports[index])])),
    [sandboxXs2a.variable]: String(await freeBankPorts()),
  }
  const { gateway, sandboxBank, sandboxFxControl } = readStartSettings(settings).ports
  const [url = '', bankUrl = '', fxControlUrl = ''] = [gateway, sandboxBank, sandboxFxControl].map(addressOf)
  return { settings, url, bankUrl, fxControlUrl }
}

/** Resolves when Havn is ready; a detached one is in a process group of its own. */
export async function startHavn(environment: NodeJS.ProcessEnv, { detached = false } = {}): Promise<BackgroundProgram> {
  const program = startProgram([process.execPath, '--expose-gc', HAVN, 'start'], { environment, detached })
  await untilReady(program, async () => program.printed().includes('Ctrl-C stops everything'))
  return program
}
