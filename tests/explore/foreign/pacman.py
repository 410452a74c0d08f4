"""A stand-in for the module `pacman` of Berkeley's CS188: a corridor with Pac-Man, two ghosts and food."""

STEPS = {"West": -1, "East": 1}


class GameState:
    def __init__(self, places=(3, 0, 7), food=frozenset({2, 5}), score=0, width=8):
        self.places, self.food, self.score, self.width = places, food, score, width

    def getLegalActions(self, agentIndex=0):
        if self.isWin() or self.isLose():
            return []
        return [name for name, step in STEPS.items() if 0 <= self.places[agentIndex] + step < self.width]

    def generateSuccessor(self, agentIndex, action):
        if self.isWin() or self.isLose():
            raise Exception("Can't generate a successor of a terminal state.")
        places = list(self.places)
        places[agentIndex] += STEPS[action]
        eaten = self.food & {places[0]} if agentIndex == 0 else frozenset()
        after = GameState(
            tuple(places), self.food - eaten, self.score + 10 * len(eaten) - (agentIndex == 0), self.width
        )
        after.score += 500 * after.isWin() - 500 * after.isLose()
        return after

    def isWin(self):
        return not self.food

    def isLose(self):
        return self.places[0] in self.places[1:]

    def getNumAgents(self):
        return len(self.places)

    def getScore(self):
        return self.score

    def __eq__(self, other):
        return isinstance(other, GameState) and (self.places, self.food, self.score) == (
            other.places, other.food, other.score)  # fmt: skip

    def __hash__(self):
        return hash((self.places, self.food, self.score))

    def __str__(self):
        marks = ["." if cell in self.food else " " for cell in range(self.width)]
        for ghost in self.places[1:]:
            marks[ghost] = "G"
        marks[self.places[0]] = "<"
        return f"%{''.join(marks)}%\nScore: {self.score}"
