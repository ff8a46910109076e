/* The engine as a Python module: the only file here that knows Python.
 *
 * A game, a position and options arrive as text and are read anew on every call; what cannot be read becomes a
 * ValueError. Long work runs without the interpreter's lock. There is no state but that of the module object. */
#include <Python.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"

enum { LINES_MAX = 500, TABLE_MB = 64 };

/* What the module object holds. */
struct state {
    PyObject *line_type;   /* the type of one answer */
    PyObject *stop_type;   /* the type of a stop */
    PyObject *engine_type; /* the type of a search context */
    struct shelf shelf;    /* tables of games, made at first use; read by searches without the lock */
};

/* A stop: set once, from any thread; it belongs to the searches that it was given to. */
struct stop_object {
    PyObject_HEAD
    atomic_bool flag; /* polled by the search */
};

/* A search context. */
struct engine_object {
    PyObject_HEAD
    struct search *search; /* its memory */
    PyObject *running;     /* the stop of the search that runs now, or NULL */
};

/* What a call is about: a game with its options and one position. */
struct subject {
    const struct game *game; /* the game */
    void *setup;             /* its tables and options */
    void *position;          /* the position */
};

/* Gives back what `open_game` took. */
static void close_game(struct subject *subject)
{
    free(subject->setup);
    free(subject->position);
    subject->setup = subject->position = NULL;
}

/* Raises ValueError with a text; always false. */
static bool refuse(const char *text)
{
    PyObject *message = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    if (message)
        PyErr_SetObject(PyExc_ValueError, message);
    Py_XDECREF(message);
    return false;
}

/* Sets one option from a Python value: a bool, an int or a str. */
static bool set_option(const struct subject *subject, PyObject *name, PyObject *value)
{
    char error[ENGINE_ERROR_MAX];
    if (!PyUnicode_Check(name) || !(PyBool_Check(value) || PyLong_Check(value) || PyUnicode_Check(value))) {
        PyErr_SetString(PyExc_TypeError, "an option is a str with a value that is a str, an int or a bool");
        return false;
    }
    PyObject *text = PyBool_Check(value) ? PyUnicode_FromString(value == Py_True ? "true" : "false")
                                         : PyObject_Str(value);
    const char *key = PyUnicode_AsUTF8AndSize(name, NULL);
    const char *word = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    bool good = key && word && (subject->game->option(subject->setup, key, word, error) || refuse(error));
    Py_XDECREF(text);
    return good;
}

/* Sets every option of a mapping. */
static bool set_options(const struct subject *subject, PyObject *options)
{
    PyObject *items = PyMapping_Items(options);
    Py_ssize_t count = items ? PyList_Size(items) : 0;
    bool good = items != NULL;
    for (Py_ssize_t n = 0; good && n < count; n++) {
        PyObject *item = PyList_GetItem(items, n);
        good = set_option(subject, PyTuple_GetItem(item, 0), PyTuple_GetItem(item, 1));
    }
    Py_XDECREF(items);
    return good;
}

/* Finds a game and sets it up; the position's memory is there but empty. `close_game` in any case afterwards. */
static bool open_game(struct state *state, struct subject *subject, const char *key, PyObject *options)
{
    subject->setup = subject->position = NULL;
    subject->game = game_find(key);
    if (!subject->game) {
        PyErr_Format(PyExc_ValueError, "the engine does not know the game %.60s", key);
        return false;
    }
    subject->setup = malloc(subject->game->setup_size);
    subject->position = malloc(subject->game->position_size);
    if (!subject->setup || !subject->position || !game_setup(subject->game, &state->shelf, subject->setup)) {
        PyErr_NoMemory();
        return false;
    }
    return set_options(subject, options);
}

/* As `open_game`, with a position read from its text. */
static bool open_position(struct state *state, struct subject *subject, const char *key, const char *position,
                          PyObject *options)
{
    char error[ENGINE_ERROR_MAX];
    return open_game(state, subject, key, options) &&
           (subject->game->read(subject->setup, position, subject->position, error) || refuse(error));
}

/* The text of the open position. */
static PyObject *position_text(const struct subject *subject)
{
    char text[ENGINE_POSITION_MAX];
    subject->game->write(subject->setup, subject->position, text);
    return PyUnicode_FromString(text);
}

/* The text of a move. */
static PyObject *move_text(const struct game *game, uint32_t code)
{
    char text[ENGINE_MOVE_MAX];
    game->move_write(code, text);
    return PyUnicode_FromString(text);
}

/* Takes the lock for a moment to handle signals; false when a handler has raised. `thread` is the saved state. */
static bool no_signal(void *thread)
{
    PyThreadState **saved = thread;
    PyEval_RestoreThread(*saved);
    bool good = PyErr_CheckSignals() == 0;
    *saved = PyEval_SaveThread();
    return good;
}

/* Counts without the lock; what a signal's handler raises ends the count. */
static PyObject *run_perft(const struct subject *subject, int depth)
{
    PyThreadState *thread = PyEval_SaveThread();
    struct asker asker = {no_signal, &thread};
    uint64_t leaves = game_perft(subject->game, subject->setup, subject->position, depth, &asker);
    PyEval_RestoreThread(thread);
    return PyErr_Occurred() ? NULL : PyLong_FromUnsignedLongLong(leaves);
}

/* perft(game, position, options, depth) */
static PyObject *module_perft(PyObject *module, PyObject *arguments)
{
    const char *key, *text;
    PyObject *options;
    int depth;
    struct subject subject;
    if (!PyArg_ParseTuple(arguments, "ssOi:perft", &key, &text, &options, &depth))
        return NULL;
    if (depth < 0 || depth > ENGINE_PERFT_PLIES_MAX)
        return PyErr_Format(PyExc_ValueError, "depth must be within 0 and %d", ENGINE_PERFT_PLIES_MAX);
    bool open = open_position(PyModule_GetState(module), &subject, key, text, options);
    PyObject *answer = open ? run_perft(&subject, depth) : NULL;
    close_game(&subject);
    return answer;
}

/* The texts of the legal moves, by origin and destination. */
static PyObject *list_moves(const struct subject *subject)
{
    struct move moves[ENGINE_MOVES_MAX];
    const struct head *head = subject->position;
    int count = head->over ? 0 : subject->game->generate(subject->setup, subject->position, head->turn, moves);
    PyObject *list = PyList_New(count);
    for (int n = 0; list && n < count; n++) {
        PyObject *text = move_text(subject->game, moves[n].code);
        if (!text || PyList_SetItem(list, n, text) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* legal_moves(game, position, options) */
static PyObject *module_legal_moves(PyObject *module, PyObject *arguments)
{
    const char *key, *text;
    PyObject *options;
    struct subject subject;
    if (!PyArg_ParseTuple(arguments, "ssO:legal_moves", &key, &text, &options))
        return NULL;
    bool open = open_position(PyModule_GetState(module), &subject, key, text, options);
    PyObject *answer = open ? list_moves(&subject) : NULL;
    close_game(&subject);
    return answer;
}

/* play(game, position, options, move) */
static PyObject *module_play(PyObject *module, PyObject *arguments)
{
    const char *key, *text, *move;
    char error[ENGINE_ERROR_MAX];
    PyObject *options, *answer = NULL;
    struct subject subject;
    uint32_t code;
    if (!PyArg_ParseTuple(arguments, "ssOs:play", &key, &text, &options, &move))
        return NULL;
    if (open_position(PyModule_GetState(module), &subject, key, text, options) &&
        (game_move_read(subject.game, subject.setup, subject.position, move, &code, error) || refuse(error))) {
        subject.game->play(subject.setup, subject.position, code);
        answer = position_text(&subject);
    }
    close_game(&subject);
    return answer;
}

/* start(game, players, options) */
static PyObject *module_start(PyObject *module, PyObject *arguments)
{
    const char *key;
    char error[ENGINE_ERROR_MAX];
    PyObject *options, *answer = NULL;
    struct subject subject;
    int players;
    if (!PyArg_ParseTuple(arguments, "siO:start", &key, &players, &options))
        return NULL;
    if (open_game(PyModule_GetState(module), &subject, key, options) &&
        (subject.game->start(subject.setup, players, subject.position, error) || refuse(error)))
        answer = position_text(&subject);
    close_game(&subject);
    return answer;
}

/* throw(game, position, options, result) */
static PyObject *module_throw(PyObject *module, PyObject *arguments)
{
    const char *key, *text, *words;
    char error[ENGINE_ERROR_MAX];
    PyObject *options, *answer = NULL;
    struct subject subject;
    int result;
    if (!PyArg_ParseTuple(arguments, "ssOs:throw", &key, &text, &options, &words))
        return NULL;
    if (open_position(PyModule_GetState(module), &subject, key, text, options)) {
        const struct chance *chance = subject.game->chance;
        if (!chance || !chance->waits(subject.position))
            refuse("the game does not wait for a throw");
        else if (chance->read(subject.position, words, &result, error) || refuse(error)) {
            chance->bring(subject.setup, subject.position, result);
            answer = position_text(&subject);
        }
    }
    close_game(&subject);
    return answer;
}

static PyMethodDef module_methods[] = {
    {"perft", module_perft, METH_VARARGS, "The number of move sequences of some length; see _engine.pyi."},
    {"legal_moves", module_legal_moves, METH_VARARGS, "The legal moves, by origin and destination."},
    {"play", module_play, METH_VARARGS, "The position after a move."},
    {"throw", module_throw, METH_VARARGS, "The position with the result of a throw put up."},
    {"start", module_start, METH_VARARGS, "The position before the first move."},
    {NULL, NULL, 0, NULL},
};

/* Frees any object of this module that owns nothing else. */
static void free_object(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* Stop.set() */
static PyObject *stop_set(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    atomic_store(&((struct stop_object *)self)->flag, true);
    Py_RETURN_NONE;
}

/* Stop.is_set() */
static PyObject *stop_is_set(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return PyBool_FromLong(atomic_load(&((struct stop_object *)self)->flag));
}

static PyMethodDef stop_methods[] = {
    {"set", stop_set, METH_NOARGS, "Ends the searches that have this stop, now or as soon as they begin."},
    {"is_set", stop_is_set, METH_NOARGS, "Whether it was set."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot stop_slots[] = {
    {Py_tp_doc, "Ends a search from another thread; see _engine.pyi."},
    {Py_tp_methods, stop_methods},
    {Py_tp_dealloc, free_object},
    {0, NULL},
};

static PyType_Spec stop_spec = {
    .name = "mitsuboshi.ai._engine.Stop",
    .basicsize = sizeof(struct stop_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = stop_slots,
};

/* Engine(table_mb=64) */
static PyObject *engine_new(PyTypeObject *type, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"table_mb", NULL};
    int table_mb = TABLE_MB;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "|i:Engine", keywords, &table_mb))
        return NULL;
    if (table_mb < 1 || table_mb > SEARCH_TABLE_MB_MAX)
        return PyErr_Format(PyExc_ValueError, "table_mb must be within 1 and %d", SEARCH_TABLE_MB_MAX);
    struct search *search = search_new((size_t)table_mb);
    if (!search)
        return PyErr_NoMemory();
    PyObject *self = ((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self)
        ((struct engine_object *)self)->search = search;
    else
        search_free(search);
    return self;
}

/* Frees an engine with its search's memory. No search runs then: a running one holds the object. */
static void engine_free(PyObject *self)
{
    search_free(((struct engine_object *)self)->search);
    free_object(self);
}

/* A list of str of the moves of a line. */
static PyObject *pv_list(const struct game *game, const struct line *line)
{
    PyObject *list = PyList_New(line->length);
    for (int n = 0; list && n < line->length; n++) {
        PyObject *text = move_text(game, line->pv[n]);
        if (!text || PyList_SetItem(list, n, text) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* A margin in moves, or None. */
static PyObject *margin_object(int margin)
{
    return margin == SEARCH_NO_MARGIN ? Py_NewRef(Py_None) : PyFloat_FromDouble(margin / 10.0);
}

/* One answer as a Line. */
static PyObject *line_object(const struct state *state, const struct search *search, const struct game *game,
                             const struct line *line)
{
    PyObject *fields[] = {
        move_text(game, line->move),
        PyLong_FromLong(line->score),
        PyLong_FromLong(line->depth),
        PyLong_FromUnsignedLongLong(search_nodes(search)),
        PyLong_FromLongLong(search_time_ms(search)),
        pv_list(game, line),
        margin_object(line->margin),
    };
    enum { FIELDS = sizeof fields / sizeof *fields };
    PyObject *object = PyStructSequence_New((PyTypeObject *)state->line_type);
    for (int n = 0; n < FIELDS; n++) {
        if (object && fields[n])
            PyStructSequence_SetItem(object, n, fields[n]);
        else {
            Py_CLEAR(object);
            Py_XDECREF(fields[n]);
        }
    }
    return object;
}

/* The answers as a list of Line. */
static PyObject *line_list(const struct state *state, const struct search *search, const struct game *game,
                           const struct line *lines, int count)
{
    PyObject *list = PyList_New(count);
    for (int n = 0; list && n < count; n++) {
        PyObject *line = line_object(state, search, game, &lines[n]);
        if (!line || PyList_SetItem(list, n, line) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* Runs a search that has been checked, without the lock. `stop` is kept until it ends. */
static PyObject *run_search(struct engine_object *self, const struct state *state, const struct subject *subject,
                            struct limits *limits, PyObject *stop)
{
    struct line *lines = calloc((size_t)limits->lines, sizeof *lines);
    if (!lines)
        return PyErr_NoMemory();
    limits->stop = &((struct stop_object *)stop)->flag;
    Py_INCREF(stop);
    self->running = stop;
    int count;
    Py_BEGIN_ALLOW_THREADS
    count = search_run(self->search, subject->game, subject->setup, subject->position, limits, lines);
    Py_END_ALLOW_THREADS
    self->running = NULL;
    Py_DECREF(stop);
    PyObject *answer = count < 0 ? PyErr_NoMemory() : line_list(state, self->search, subject->game, lines, count);
    free(lines);
    return answer;
}

/* Checks the limits of a search; raises ValueError. */
static bool check_limits(const struct limits *limits, long long nodes)
{
    if (limits->movetime_ms < 0 || limits->movetime_ms > 86400000)
        return refuse("movetime_ms must be within 0 and 86400000");
    if (nodes < 0)
        return refuse("nodes must not be negative");
    if (limits->plies < 0)
        return refuse("plies must not be negative");
    if (limits->noise < 0 || limits->noise > 100000)
        return refuse("noise must be within 0 and 100000");
    if (limits->race_width < 0 || limits->race_width > SEARCH_RACE_WIDTH_MAX)
        return refuse("race_width must be within 0 and 4096");
    if (limits->lines < 1 || limits->lines > LINES_MAX)
        return refuse("lines must be within 1 and 500");
    return true;
}

/* The stop that a search uses: the one given, or a new one. */
static PyObject *stop_for(const struct state *state, PyObject *given)
{
    if (given == Py_None)
        return PyObject_CallNoArgs(state->stop_type);
    if ((PyObject *)Py_TYPE(given) != state->stop_type) {
        PyErr_SetString(PyExc_TypeError, "stop must be a Stop or None");
        return NULL;
    }
    Py_INCREF(given);
    return given;
}

/* Engine.search(game, position, options, *, movetime_ms, nodes, plies, lines, seed, noise, race_width, stop) */
static PyObject *engine_search(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"game", "position", "options", "movetime_ms", "nodes", "plies",
                               "lines", "seed", "noise", "race_width", "stop", NULL};
    struct engine_object *self = (struct engine_object *)object;
    struct state *state = PyType_GetModuleState(Py_TYPE(object));
    const char *key, *text;
    PyObject *options, *given = Py_None, *answer = NULL;
    long long movetime_ms = 0, nodes = 0;
    unsigned long long seed = 0;
    struct limits limits = {.lines = 1};
    struct subject subject;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "ssO|$LLiiKiiO:search", keywords, &key, &text, &options,
                                     &movetime_ms, &nodes, &limits.plies, &limits.lines, &seed, &limits.noise,
                                     &limits.race_width, &given))
        return NULL;
    limits.movetime_ms = movetime_ms;
    limits.nodes = (uint64_t)nodes;
    limits.seed = seed;
    if (!check_limits(&limits, nodes))
        return NULL;
    PyObject *stop = stop_for(state, given);
    if (!stop)
        return NULL;
    if (open_position(state, &subject, key, text, options)) {
        /* From here to the search's start nothing gives the lock away. */
        if (subject.game->chance && subject.game->chance->waits(subject.position))
            refuse("the dice have to be thrown first");
        else if (self->running)
            PyErr_SetString(PyExc_RuntimeError, "this engine is searching already");
        else
            answer = run_search(self, state, &subject, &limits, stop);
    }
    close_game(&subject);
    Py_DECREF(stop);
    return answer;
}

/* Engine.stop() */
static PyObject *engine_stop(PyObject *object, PyObject *nothing)
{
    PyObject *running = ((struct engine_object *)object)->running;
    return running ? stop_set(running, nothing) : Py_NewRef(Py_None);
}

static PyMethodDef engine_methods[] = {
    {"search", (PyCFunction)(void (*)(void))engine_search, METH_VARARGS | METH_KEYWORDS,
     "The best moves, best first; see _engine.pyi."},
    {"stop", engine_stop, METH_NOARGS, "Ends the search that runs now; without one it does nothing."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot engine_slots[] = {
    {Py_tp_doc, "A search context: its memory, for one search at a time; see _engine.pyi."},
    {Py_tp_new, engine_new},
    {Py_tp_dealloc, engine_free},
    {Py_tp_methods, engine_methods},
    {0, NULL},
};

static PyType_Spec engine_spec = {
    .name = "mitsuboshi.ai._engine.Engine",
    .basicsize = sizeof(struct engine_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = engine_slots,
};

static PyStructSequence_Field line_fields[] = {
    {"move", "the move"},
    {"score", "expected result for the side to move, thousandths of a point"},
    {"depth", "plies looked ahead"},
    {"nodes", "positions looked at by the whole search"},
    {"time_ms", "time that the whole search took"},
    {"pv", "the play that the search expects, from the move on"},
    {"margin", "expected margin for the side to move, in moves"},
    {NULL, NULL},
};

static PyStructSequence_Desc line_desc = {
    .name = "mitsuboshi.ai._engine.Line",
    .doc = "One answer of a search.",
    .fields = line_fields,
    .n_in_sequence = 7,
};

/* Makes the types of a new module object, and its one number. */
static int module_exec(PyObject *module)
{
    struct state *state = PyModule_GetState(module);
    state->line_type = (PyObject *)PyStructSequence_NewType(&line_desc);
    state->stop_type = PyType_FromModuleAndSpec(module, &stop_spec, NULL);
    state->engine_type = PyType_FromModuleAndSpec(module, &engine_spec, NULL);
    if (!state->line_type || !state->stop_type || !state->engine_type)
        return -1;
    if (PyModule_AddIntConstant(module, "PERFT_PLIES_MAX", ENGINE_PERFT_PLIES_MAX) < 0 ||
        PyModule_AddObjectRef(module, "Line", state->line_type) < 0 ||
        PyModule_AddObjectRef(module, "Stop", state->stop_type) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "Engine", state->engine_type);
}

/* Shows the garbage collector what the module holds. */
static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct state *state = PyModule_GetState(module);
    Py_VISIT(state->line_type);
    Py_VISIT(state->stop_type);
    Py_VISIT(state->engine_type);
    return 0;
}

/* Gives back the games' tables. No search runs any more: one holds its type, and that the module. */
static void module_free(void *module)
{
    shelf_clear(&((struct state *)PyModule_GetState(module))->shelf);
}

/* Drops what the module holds. */
static int module_clear(PyObject *module)
{
    struct state *state = PyModule_GetState(module);
    Py_CLEAR(state->line_type);
    Py_CLEAR(state->stop_type);
    Py_CLEAR(state->engine_type);
    return 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "mitsuboshi.ai._engine",
    .m_doc = "The engine in C: move generation and search for every game.",
    .m_size = sizeof(struct state),
    .m_methods = module_methods,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

/* What an import calls: it answers the description, from which the interpreter makes the module. */
PyMODINIT_FUNC PyInit__engine(void)
{
    return PyModuleDef_Init(&module_def);
}
