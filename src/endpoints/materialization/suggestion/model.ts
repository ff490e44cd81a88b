// What is asked of a language model, whoever runs it.

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface Model {
  /**
   * Asks for the JSON object that `ANSWER_SCHEMA` describes.
   * @returns the text that the model gave, whatever it is; empty when it gave none.
   * @throws ModelUnreachable, ModelFailed.
   */
  ask(messages: readonly Message[], timeoutMs: number): Promise<string>
}
