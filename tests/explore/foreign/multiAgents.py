"""A student's answer to CS188's project on multi-agent search, which recurses on states and never sees a game."""


class MinimaxAgent:
    def __init__(self, depth="2"):
        self.depth, self.evaluationFunction = int(depth), lambda state: state.getScore()

    def getAction(self, gameState):
        def value(state, agentIndex, depth):
            if depth == 0 or state.isWin() or state.isLose():
                return self.evaluationFunction(state)
            following = (agentIndex + 1) % state.getNumAgents()
            plies = depth - 1 if following == 0 else depth
            values = [value(state.generateSuccessor(agentIndex, action), following, plies)
                      for action in state.getLegalActions(agentIndex)]  # fmt: skip
            return max(values) if agentIndex == 0 else min(values)

        return max(gameState.getLegalActions(0), key=lambda a: value(gameState.generateSuccessor(0, a), 1, self.depth))
