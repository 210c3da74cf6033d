/** Asks once, however often the answer is wanted. */
export const once = <Question, Answer>(
  ask: (question: Question) => Answer,
): ((question: Question) => Answer) => {
  const answers = new Map<Question, Answer>();
  return (question) => {
    const answer = answers.get(question) ?? ask(question);
    answers.set(question, answer);
    return answer;
  };
};
