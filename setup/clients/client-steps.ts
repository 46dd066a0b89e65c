/** Lists the steps of `npm run test:clients`, in the order in which they run. */
import type { ClientStep } from './client-step.ts'
import { firstPayment } from './first-payment/first-payment-step.ts'
import { openApiGeneratorCSharp } from './generators/csharp-generators.ts'
import { generatorStep } from './generators/generator-step.ts'
import { openApiGeneratorJava } from './generators/java-generators.ts'
import { openApiGeneratorPhp } from './generators/php-generators.ts'
import { openApiGeneratorPython, openApiPythonClient } from './generators/python-generators.ts'
import { heyApi, openApiFetch } from './generators/typescript-generators.ts'
import { csharpExamplesStep } from './reference/csharp-examples-step.ts'
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
  firstPayment,
]
