/** Runs clients in other languages and runtimes against a real gateway; arguments select steps by a part of their name. */
import { firstPayment } from './clients/first-payment-step.ts'
import { generatorStep } from './clients/generators/generator-step.ts'
import { GENERATORS } from './clients/generators/generators.ts'
import { csharpExamplesStep } from './clients/reference/csharp-examples-step.ts'
import { spectralStep } from './clients/reference/spectral-step.ts'
import { runClientSteps } from './clients/run-client-steps.ts'
import { pythonSdkStep } from './clients/sdk/python-sdk-step.ts'
import { typescriptSdk } from './clients/sdk/typescript-sdk-step.ts'

/** In the order in which they run. */
const STEPS = [
  ...GENERATORS.map(generatorStep),
  typescriptSdk,
  pythonSdkStep,
  csharpExamplesStep,
  spectralStep,
  firstPayment,
]

process.exitCode = (await runClientSteps(STEPS, process.argv.slice(2))) ? 0 : 1
