/** Lists the steps of `npm run test:clients`, in the order in which they run. */
import type { ClientStep } from './client-step.ts'
import { firstPayment } from './first-payment/first-payment-step.ts'
import { generatorStep } from './generators/generator-step.ts'
import {
  heyApi,
  openApiFetch,
  openApiGeneratorCSharp,
  openApiGeneratorJava,
  openApiGeneratorPhp,
  openApiGeneratorPython,
  openApiPythonClient,
} from './generators/generators.ts'
import { csharpExamplesStep } from './reference/csharp-examples-step.ts'
import { spectralStep } from './reference/spectral-step.ts'
import { pythonSdkStep } from './sdk/python-sdk-step.ts'
import { typescriptSdk } from './sdk/typescript-sdk-step.ts'

export const CLIENT_STEPS: readonly ClientStep[] = [
  generatorStep(openApiFetch),
  generatorStep(heyApi),
  generatorStep(openApiPythonClient),
  generatorStep(openApiGeneratorPython),
  generatorStep(openApiGeneratorJava),
  generatorStep(openApiGeneratorCSharp),
  generatorStep(openApiGeneratorPhp),
  typescriptSdk,
  pythonSdkStep,
  csharpExamplesStep,
  spectralStep,
  firstPayment,
]
