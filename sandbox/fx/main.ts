/** Runs the sandbox's provider of exchange as a program of its own, until it is told to end or its parent is gone. */
import { openLog } from '../../gateway/foundation/log.ts'
import { readConfig } from './config.ts'
import { startSandboxFx } from './fx-provider.ts'

let isEnding = false
const config = readConfig(process.env)
const log = openLog({ program: 'sandbox-fx', level: config.logLevel })
const starting = startSandboxFx({ ...config, log })
process.once('SIGTERM', end)
// Ctrl-C reaches the whole group: a program under a supervisor leaves the order of ending to it.
process.on('SIGINT', process.connected ? () => undefined : end)
process.once('disconnect', end)
const { url } = await starting
log.info({ url }, "the sandbox's provider of exchange is open")
if (process.connected) {
  process.send?.({ ready: true, url })
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
